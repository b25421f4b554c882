/// Values by names that are JSON pointers; a value is found by the blob to which its name points.
///
/// The pointer of a blob is only built if a name may be the same, because pointers can be long: in a document of 20 MB a
/// hundred thousand blobs can be inside a member whose name has 10 MB.
package struct PointerNames<Value> {
    private var entries: [Int: [(pointer: String, value: Value)]] = [:]

    /// - Parameter names: each once; a name that does not begin with `/` is no pointer of a blob.
    package init(_ names: some Sequence<(pointer: String, value: Value)>) {
        for name in names { entries[PointerHash.of(pointer: name.pointer), default: []].append(name) }
    }

    package func find(_ blob: BlobReference) -> (pointer: String, value: Value)? {
        guard let candidates = entries[blob.pointerHash] else { return nil }
        let pointer = blob.pointer
        return candidates.first { $0.pointer.isExactly(pointer) }
    }
}

/// The hash of a pointer, computed part by part: the hash of a value is made from that of its container.
enum PointerHash {
    static let root = 0

    static func of(_ part: Substring, in container: Int) -> Int {
        var hasher = Hasher()
        hasher.combine(container)
        for byte in part.utf8 { hasher.combine(byte) }
        return hasher.finalize()
    }

    static func of(pointer: String) -> Int {
        pointer.split(atByte: "/", omittingEmptySubsequences: false).dropFirst()
            .reduce(root) { of($1, in: $0) }
    }
}
