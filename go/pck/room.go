package pck

// FreeRoom is the memory in bytes that every message may take, whatever its size.
const FreeRoom = 1 << 25

// roomPerByte is the memory that each byte of a message pays for. Types that never take more are not counted.
const roomPerByte = 64

// RoomFor returns the memory that a message may take for counted values, unless the emitted code has its own limit: FreeRoom, and
// a fixed amount for each byte.
func RoomFor(b []byte) int64 {
	return FreeRoom + roomPerByte*int64(len(b))
}

// TakeRoom takes size bytes from room, for a value that begins at i.
func TakeRoom(room *int64, i int, size int64) *Error {
	if *room < size {
		return ReadError("ERR_LIMIT_ELEMENTS", i)
	}
	*room -= size
	return nil
}

// CountWithRoom reads a count of elements that take each bytes from room, and some more bytes unless there are none.
func CountWithRoom(b []byte, i, reserved, minSize int, room *int64, some, each int64) (int, int, *Error) {
	n, next, err := Count(b, i, reserved, minSize)
	if err == nil && n > 0 {
		err = TakeRoom(room, i, some+int64(n)*each)
	}
	return n, next, err
}

// BitCountWithRoom reads a count of elements that take at least one bit, and each bytes from room.
func BitCountWithRoom(b []byte, i, reserved int, room *int64, each int64) (int, int, *Error) {
	n, next, err := BitCount(b, i, reserved)
	if err == nil {
		err = TakeRoom(room, i, int64(n)*each)
	}
	return n, next, err
}
