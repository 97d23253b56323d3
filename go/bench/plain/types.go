// Package plain has the structs of the benchmarks for encoding/json and tinylib/msgp.
package plain

//go:generate go tool msgp -tests=false -file types.go -o msgp.go

// Player is a player of the game.
type Player struct {
	Health     int32      `json:"health" msg:"health"`
	Jumping    bool       `json:"jumping" msg:"jumping"`
	Position   Position   `json:"position" msg:"position"`
	Attributes Attributes `json:"attributes" msg:"attributes"`
}

// Position is a player's position.
type Position struct {
	X int32 `json:"x" msg:"x"`
	Y int32 `json:"y" msg:"y"`
}

// Attributes are the attributes of a player.
type Attributes struct {
	Str uint8 `json:"str" msg:"str"`
	Agi uint8 `json:"agi" msg:"agi"`
	Int uint8 `json:"int" msg:"int"`
}

// TopStories are stories of Hacker News.
type TopStories struct {
	Items []Item `json:"items" msg:"items"`
}

// Item is a story.
type Item struct {
	By          string   `json:"by" msg:"by"`
	Descendants uint32   `json:"descendants" msg:"descendants"`
	ID          uint32   `json:"id" msg:"id"`
	Kids        []uint32 `json:"kids,omitempty" msg:"kids,omitempty"`
	Score       uint32   `json:"score" msg:"score"`
	Time        uint32   `json:"time" msg:"time"`
	Title       string   `json:"title" msg:"title"`
	URL         string   `json:"url,omitempty" msg:"url,omitempty"`
}
