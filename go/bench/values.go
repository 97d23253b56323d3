// Package bench holds emitted code against encoding/json, tinylib/msgp and google.golang.org/protobuf, on the same values.
package bench

import (
	"encoding/json"
	"os"

	"moonpack/bench/plain"
	"moonpack/bench/protobuf"
	"moonpack/game"
)

// Player is a small struct: for us, for encoding/json and msgp, and for Protobuf.
func Player() (*game.Player, *plain.Player, *protobuf.Player) {
	ours := &game.Player{
		Health:     100,
		Jumping:    true,
		Position:   game.Position{X: 10, Y: 20},
		Attributes: game.Attributes{Str: 100, Agi: 50, Int: 10},
	}
	theirs := &plain.Player{
		Health:     100,
		Jumping:    true,
		Position:   plain.Position{X: 10, Y: 20},
		Attributes: plain.Attributes{Str: 100, Agi: 50, Int: 10},
	}
	message := &protobuf.Player{
		Health:     100,
		Jumping:    true,
		Position:   &protobuf.Position{X: 10, Y: 20},
		Attributes: &protobuf.Attributes{Str: 100, Agi: 50, Int: 10},
	}
	return ours, theirs, message
}

// TopStories are the 500 stories of a file: for us, for encoding/json and msgp, and for Protobuf.
func TopStories(path string) (*game.TopStories, *plain.TopStories, *protobuf.TopStories, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, nil, nil, err
	}
	theirs := &plain.TopStories{}
	if err := json.Unmarshal(text, &theirs.Items); err != nil {
		return nil, nil, nil, err
	}
	ours, message := &game.TopStories{}, &protobuf.TopStories{}
	for _, item := range theirs.Items {
		ours.Items = append(ours.Items, game.Item(item))
		message.Items = append(message.Items, &protobuf.Item{
			By:          item.By,
			Descendants: item.Descendants,
			Id:          item.ID,
			Kids:        item.Kids,
			Score:       item.Score,
			Time:        item.Time,
			Title:       item.Title,
			Url:         item.URL,
		})
	}
	return ours, theirs, message, nil
}
