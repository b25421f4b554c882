import Foundation

/// The lines of the standard input as bytes. A line that is not UTF-8 is not repaired here, so that its reader can
/// refuse it.
struct InputLines {
    private var bytes: [UInt8] = []
    /// Where the next line begins.
    private var start = 0
    private var isAtEnd = false

    /// Without its line feed; `nil` at the end.
    mutating func next() throws -> [UInt8]? {
        var looked = start
        while true {
            if let end = bytes[looked...].firstIndex(of: UInt8(ascii: "\n")) {
                defer { start = end + 1 }
                return Array(bytes[start..<end])
            }
            guard !isAtEnd else { break }
            bytes.removeFirst(start)
            (start, looked) = (0, bytes.count)
            guard bytes.count <= DatabaseCommandLimits.longestLine else {
                throw CommandFailure(
                    "A line is longer than any document can be.", hint: "Write a document on each line.")
            }
            if let more = try FileHandle.standardInput.read(upToCount: Self.portion), !more.isEmpty {
                bytes += more
            } else {
                isAtEnd = true
            }
        }
        defer { (bytes, start) = ([], 0) }
        return start == bytes.count ? nil : Array(bytes[start...])
    }

    private static let portion = 1 << 20
}
