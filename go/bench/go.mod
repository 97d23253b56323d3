module moonpack/bench

go 1.24

require (
	github.com/bufbuild/protocompile v0.14.1
	github.com/tinylib/msgp v1.6.5
	google.golang.org/protobuf v1.36.12
	moonpack v0.0.0
)

require (
	github.com/philhofer/fwd v1.2.0 // indirect
	golang.org/x/mod v0.18.0 // indirect
	golang.org/x/sync v0.8.0 // indirect
	golang.org/x/tools v0.22.0 // indirect
)

replace moonpack => ../

tool (
	github.com/tinylib/msgp
	google.golang.org/protobuf/cmd/protoc-gen-go
)
