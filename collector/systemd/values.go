package systemd

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// isSentinel reports whether a value stands for "not known" or "not set".
func isSentinel(v string) bool {
	switch v {
	case "", "[not set]", "[no data]", "[n/a]", "n/a", "[unprintable]", "(null)":
		return true
	}
	return false
}

// unlimited is how systemd says infinity in a number: the largest of 64 bits.
const unlimited = math.MaxUint64

// limit reads a resource limit in its unit: -1 is no limit, nil is not told.
// Over D-Bus, and in systemctl show of old, "no limit" is 2^64-1.
func limit(v string) *int64 {
	if v == "infinity" {
		return new(int64(-1))
	}
	n, err := strconv.ParseUint(v, 10, 64)
	switch {
	case err != nil:
		return nil
	case n == unlimited:
		return new(int64(-1))
	case n > math.MaxInt64:
		return nil
	}
	return new(int64(n))
}

// count reads a number that has no infinity: 2^64-1 (and 2^32-1) mean "not
// known" there, and so does anything that is no number.
func count(v string) *int {
	n, err := strconv.ParseUint(v, 10, 31)
	if err != nil {
		return nil
	}
	return new(int(n))
}

// offsets of the zone abbreviations that mean one thing only, in hours. CST,
// IST, BST and their like do not, and the dump does not name the zone itself.
func offset(zone string) (time.Duration, bool) {
	hours, ok := map[string]float64{
		"UTC": 0, "GMT": 0, "Z": 0, "WET": 0,
		"CET": 1, "CEST": 2, "EET": 2, "EEST": 3, "MSK": 3,
		"HKT": 8, "KST": 9, "JST": 9,
		"PDT": -7, "PST": -8, "EDT": -4, "EST": -5,
	}[zone]
	if ok {
		return time.Duration(hours * float64(time.Hour)), true
	}
	if len(zone) == 3 && (zone[0] == '+' || zone[0] == '-') { // a zone without a name: "+08"
		if h, err := strconv.Atoi(zone); err == nil {
			return time.Duration(h) * time.Hour, true
		}
	}
	return 0, false
}

// moment reads a time: microseconds since 1970, or a date as systemctl show
// prints it in its --timestamp= styles ("Wed 2026-11-30 12:00:00 KST",
// "@1796040000"). The name of the day is passed over, for it may be in any
// language. nil is never, or not to be told for want of a known zone.
func moment(v string) *time.Time {
	if isSentinel(v) {
		return nil
	}
	if seconds, ok := strings.CutPrefix(v, "@"); ok {
		if s, err := strconv.ParseUint(seconds, 10, 40); err == nil && s > 0 {
			return new(time.Unix(int64(s), 0).UTC())
		}
		return nil
	}
	if us, err := strconv.ParseUint(v, 10, 64); err == nil {
		if us == 0 || us > math.MaxInt64 {
			return nil
		}
		return new(time.UnixMicro(int64(us)).UTC().Truncate(time.Second))
	}
	fields := strings.Fields(v)
	for len(fields) > 0 && !strings.Contains(fields[0], "-") {
		fields = fields[1:]
	}
	if len(fields) != 3 {
		return nil
	}
	clock, _, _ := strings.Cut(fields[1], ".") // --timestamp=us
	t, err := time.Parse("2006-01-02 15:04:05", fields[0]+" "+clock)
	if err != nil {
		return nil
	}
	east, ok := offset(fields[2])
	if !ok {
		return nil
	}
	return new(t.Add(-east).UTC())
}
