package terminal

import "fmt"

// Count writes a number of things: 1 item, 2 items.
func Count(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return fmt.Sprintf("%d %ss", n, thing)
}
