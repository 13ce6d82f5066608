// Package metis partitions graphs by METIS 5 (Karypis & Kumar, SIAM J. Sci. Comput. 20 (1998) 359), whose library it opens at run
// time: a program runs where it is missing, and its caller then divides by other means. Built with the tag nometis it never looks
// for one.
//
// METIS is given no options, since their numbers differ between its versions: its seed is fixed, so that one library gives the same answer
// whenever it is asked. Another version, or C library, may give another: ranks take the answer of one of them.
package metis
