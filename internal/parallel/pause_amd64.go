package parallel

// pause tells the processor that this is a waiting loop: it saves power, leaves
// the core to its other thread, and leaves the loop without a misprediction.
//
//go:noescape
func pause()
