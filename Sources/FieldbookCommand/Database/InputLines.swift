import Foundation

/// The lines of the standard input, whatever their bytes are: a text that is not UTF-8 is for others to refuse, and not
/// repaired.
struct InputLines {
    private var bytes: ArraySlice<UInt8> = []
    private var isAtEnd = false

    /// Without its line feed; `nil` at the end.
    mutating func next() throws -> [UInt8]? {
        var looked = bytes.startIndex
        while true {
            if let end = bytes[looked...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { bytes = bytes[(end + 1)...] }
                return Array(bytes[..<end])
            }
            guard !isAtEnd else { break }
            looked = bytes.count
            guard let more = try FileHandle.standardInput.read(upToCount: Self.portion), !more.isEmpty else {
                isAtEnd = true
                looked = bytes.startIndex
                continue
            }
            bytes = (Array(bytes) + more)[...]
        }
        defer { bytes = [] }
        return bytes.isEmpty ? nil : Array(bytes)
    }

    private static let portion = 1 << 20
}
