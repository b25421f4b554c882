import SodiumCrypto

/// Where the bytes of SQLite's log are in the sealed one. A sealed frame is longer by a mark, so that the page in it is kept
/// to the last byte: the log's checksums are about all of them.
struct LogLayout: Hashable {
    /// Bytes of the log before its first frame, which stay plain: page size, salts, a checksum of these.
    static let header: Int64 = 32
    /// Bytes of a frame before its page, which stay plain and are authenticated with it.
    static let frameHeader = 24

    let pageSize: Int

    /// As SQLite counts them.
    var frame: Int64 { Int64(Self.frameHeader + pageSize) }
    var sealedFrame: Int64 { frame + Int64(SecretKey.sealingOverhead) }

    /// The frame of an offset that is not in the log's header, and the position in it.
    func position(of offset: Int64) -> (frame: Int64, within: Int) {
        let (index, rest) = (offset - Self.header).quotientAndRemainder(dividingBy: frame)
        return (index, Int(rest))
    }

    func sealedStart(ofFrame index: Int64) -> Int64 { Self.header + index * sealedFrame }

    /// The length of the sealed log of which SQLite sees so many bytes.
    func sealedLength(_ length: Int64) -> Int64 {
        guard length > Self.header else { return length }
        let (index, rest) = position(of: length)
        return sealedStart(ofFrame: index) + Int64(rest)
    }

    /// The bytes that SQLite sees of a sealed log. A frame is whole with all of its mark. Of one that a crash has cut off in
    /// the mark SQLite does not see the last byte: it would read the frame, and take the end of the file for a failing disk.
    func length(_ sealedLength: Int64) -> Int64 {
        guard sealedLength > Self.header else { return sealedLength }
        let (index, rest) = (sealedLength - Self.header).quotientAndRemainder(dividingBy: sealedFrame)
        return Self.header + index * frame + min(rest, frame - 1)
    }
}
