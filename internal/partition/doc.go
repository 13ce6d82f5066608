// Package partition shares a domain of nodes among ranks: in boxes, by recursive bisection, or block by block, by METIS or by
// bisection of the graph of blocks. It measures what it shares: balance, cut, neighbours and what crosses between ranks.
//
// Nothing is random and all sums are of whole numbers, so that the same domain is shared in the same way by every rank and on every
// machine.
package partition
