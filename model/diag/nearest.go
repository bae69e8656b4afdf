package diag

import "strings"

// Nearest is the word that was probably meant, or "" when none is near enough:
// about one slip for every three letters.
func Nearest(word string, words []string) string {
	if len(word) > 64 {
		return ""
	}
	best, bestDistance := "", 1+max(1, len(word)/3)
	for _, w := range words {
		d := distance(strings.ToLower(word), strings.ToLower(w), bestDistance)
		if d < bestDistance && d < min(len(word), len(w)) {
			best, bestDistance = w, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, exchange or swap with their
// neighbour to turn a into b; limit or more when it is at least limit.
func distance(a, b string, limit int) int {
	if len(a)-len(b) >= limit || len(b)-len(a) >= limit {
		return limit
	}
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
