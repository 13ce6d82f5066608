package hybrid

// TrialSteps is how many steps auto measures with where there are n schedules.
func TrialSteps(n int) int { return trialRounds * n * (trialFirst + trialSteps) }

// Overlapped makes a step, and tells whether a pipelined schedule made it in two places
// at once.
func Overlapped(s *Simulation[float64]) bool {
	p := s.schedule.(*pipelined[float64])
	p.made = false
	s.Step()
	return p.made
}
