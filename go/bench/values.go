// Package bench compares emitted code with encoding/json, tinylib/msgp and google.golang.org/protobuf on the same values.
package bench

import (
	"encoding/json"
	"os"

	"moonpack/bench/plain"
	"moonpack/bench/protobuf"
	"moonpack/game"
)

// Player returns a small struct: for emitted code, for encoding/json and msgp, and for Protobuf.
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

// TopStories returns the 500 stories of a file: for emitted code, for encoding/json and msgp, and for Protobuf.
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

// Plain converts a value of any format to the structs of encoding/json and msgp, for comparison.
func Plain(value any) any {
	switch v := value.(type) {
	case *game.Player:
		return &plain.Player{
			Health:     v.Health,
			Jumping:    v.Jumping,
			Position:   plain.Position(v.Position),
			Attributes: plain.Attributes(v.Attributes),
		}
	case *protobuf.Player:
		attributes := v.GetAttributes()
		return &plain.Player{
			Health:   v.GetHealth(),
			Jumping:  v.GetJumping(),
			Position: plain.Position{X: v.GetPosition().GetX(), Y: v.GetPosition().GetY()},
			Attributes: plain.Attributes{
				Str: uint8(attributes.GetStr()),
				Agi: uint8(attributes.GetAgi()),
				Int: uint8(attributes.GetInt()),
			},
		}
	case *game.TopStories:
		top := &plain.TopStories{}
		for _, item := range v.Items {
			top.Items = append(top.Items, plain.Item(item))
		}
		return top
	case *protobuf.TopStories:
		top := &plain.TopStories{}
		for _, item := range v.GetItems() {
			top.Items = append(top.Items, plain.Item{
				By:          item.GetBy(),
				Descendants: item.GetDescendants(),
				ID:          item.GetId(),
				Kids:        item.GetKids(),
				Score:       item.GetScore(),
				Time:        item.GetTime(),
				Title:       item.GetTitle(),
				URL:         item.GetUrl(),
			})
		}
		return top
	}
	return value
}
