import SodiumCrypto

@testable import DocumentStore

extension FuzzTarget {
    /// Sealed bytes that somebody changed. The key is fixed, so that what is found can be looked at again; the first
    /// byte says where a whole stream is damaged, or that the input is to be opened as it is.
    static let sealed = FuzzTarget(
        name: "sealed",
        seeds: { [[0] + [UInt8](repeating: 7, count: 80), [9, 3, 0xFF, 1, 2, 3], [200, 60, 1, 5, 5, 5]] }
    ) { bytes in
        let key = try SecretKey(bytes: [UInt8](repeating: 7, count: SecretKey.length))
        var input = InputReader(bytes)
        let (index, mask) = (Int(input.byte()), input.byte())
        let content = input.bytes(bytes.count)
        checkStream(content, key, index, mask)
        try? openAsItIs(content, key)
        let sealed = key.seal(content, context: [1])
        check((try? key.open(sealed, context: [1])) == content, "what was sealed does not open")
        check((try? key.open(sealed, context: [2])) == nil, "it opens in another context")
        check((try? key.open(damaged(sealed, index, mask), context: [1])) == nil || mask == 0, "damage goes unnoticed")
    }

    private static func checkStream(_ content: [UInt8], _ key: SecretKey, _ index: Int, _ mask: UInt8) {
        var sealer = StreamSealer(key: key)
        let half = content.count / 2
        let chunks = [sealer.seal(content[..<half], isLast: false), sealer.seal(content[half...], isLast: true)]
        check((try? opened(sealer.header, chunks, key)) == content, "what was sealed does not open")
        check((try? opened(sealer.header, [chunks[0]], key)) == nil, "a missing end goes unnoticed")
        check((try? opened(sealer.header, chunks.reversed(), key)) == nil, "a changed order goes unnoticed")
        guard mask != 0 else { return }
        let wrong = [chunks[0], damaged(chunks[1], index, mask)]
        check((try? opened(sealer.header, wrong, key)) == nil, "damage goes unnoticed")
        check((try? opened(damaged(sealer.header, index, mask), chunks, key)) == nil, "damage goes unnoticed")
    }

    private static func opened(_ header: [UInt8], _ chunks: [[UInt8]], _ key: SecretKey) throws -> [UInt8]? {
        var opener = try StreamOpener(key: key, header: header)
        var plain: [UInt8] = []
        for chunk in chunks { plain += try opener.open(chunk) }
        return opener.isFinished ? plain : nil
    }

    private static func openAsItIs(_ bytes: [UInt8], _ key: SecretKey) throws {
        check((try? key.open(bytes, context: [])) == nil, "noise opens")
        check((try? key.unwrap(bytes, context: [])) == nil, "noise opens")
        _ = SealedFormat.plainLength(UInt64(bytes.count) << 56 | UInt64(bytes.first ?? 0))
        _ = PasswordHash.needsRenewal(text(bytes))
        _ = try? SecretKey(bytes: bytes)
        var opener = try StreamOpener(key: key, header: Array(bytes.prefix(StreamSealer.headerLength)))
        check((try? opener.open(Array(bytes.dropFirst(StreamSealer.headerLength)))) == nil, "noise opens")
    }

    private static func damaged(_ bytes: [UInt8], _ index: Int, _ mask: UInt8) -> [UInt8] {
        var bytes = bytes
        bytes[index % bytes.count] ^= mask
        return bytes
    }
}
