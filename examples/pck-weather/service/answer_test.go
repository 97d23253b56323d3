package main

import (
	"encoding/hex"
	"slices"
	"testing"

	"service/weather"
	"service/weather1"
)

func TestWarnings(t *testing.T) {
	old, _ := hex.DecodeString(fingerprint1)
	before := weather1.Weather{Reports: []weather1.Report{{Celsius: -2, Wind: 80, Sky: weather1.ReportSkyRain}}}
	given, err := before.AppendTo(old)
	if err != nil {
		t.Fatal(err)
	}
	if given, err = answer(given); err != nil {
		t.Fatal(err)
	}
	if err := before.UnmarshalBinary(given[8:]); err != nil {
		t.Fatal(err)
	}
	if got := before.Reports[0].Warnings; !slices.Equal(got, []string{"storm", "ice"}) {
		t.Errorf("warnings of an old message: %q", got)
	}

	print, _ := hex.DecodeString(fingerprint)
	all := weather.Weather{Reports: []weather.Report{{Celsius: -2, Wind: 80, Sky: weather.ReportSkyRain}}}
	message, err := all.AppendTo(print)
	if err != nil {
		t.Fatal(err)
	}
	if message, err = answer(message); err != nil {
		t.Fatal(err)
	}
	if err := all.UnmarshalBinary(message[8:]); err != nil {
		t.Fatal(err)
	}
	if got := all.Reports[0].Warnings; !slices.Equal(got, []string{"storm", "ice"}) {
		t.Errorf("warnings: %q", got)
	}
}
