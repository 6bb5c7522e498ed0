package main

import (
	"math/rand"
	"slices"
)

// damaged is a copy with one or two bytes or ranges changed; a change that keeps the length may still decode.
func damaged(random *rand.Rand, bytes []byte) []byte {
	changed := slices.Clone(bytes)
	for range 1 + random.Intn(6)/5 {
		// The magic bytes stay: without them there is nothing to compare.
		at := len(magic) + random.Intn(len(changed)-len(magic))
		switch random.Intn(9) {
		case 0, 1, 2, 3:
			changed[at] ^= 1 << random.Intn(8)
		case 4, 5:
			changed[at] = byte(random.Intn(256))
		case 6:
			changed = slices.Insert(changed, at, byte(random.Intn(256)), byte(random.Intn(128)))
		case 7:
			end := min(len(changed), at+1+random.Intn(8))
			changed = slices.Insert(changed, at, slices.Clone(changed[at:end])...)
		default:
			changed = slices.Delete(changed, at, min(len(changed), at+1+random.Intn(3)))
		}
		if len(changed) == len(magic) {
			changed = append(changed, 0)
		}
	}
	return changed
}
