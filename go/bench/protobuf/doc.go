// Package protobuf has the messages of the benchmarks for google.golang.org/protobuf.
package protobuf

//go:generate go run ./generate bench.proto bench.pb.go
