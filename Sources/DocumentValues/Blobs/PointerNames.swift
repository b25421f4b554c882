/// Values by names that are JSON pointers, to be found by the blobs that the names point to.
///
/// No pointer of a blob is put together unless a name is the same: in a document of 20 MB a hundred thousand blobs can be
/// behind a member whose name has 10 MB.
package struct PointerNames<Value> {
    private var entries: [Int: [(pointer: String, value: Value)]] = [:]

    /// - Parameter names: each once; what does not begin with `/` is no pointer of a blob.
    package init(_ names: some Sequence<(pointer: String, value: Value)>) {
        for name in names { entries[PointerHash.of(pointer: name.pointer), default: []].append(name) }
    }

    package func find(_ blob: BlobReference) -> (pointer: String, value: Value)? {
        guard let candidates = entries[blob.pointerHash] else { return nil }
        let pointer = blob.pointer
        return candidates.first { $0.pointer.isExactly(pointer) }
    }
}

/// The hash of a pointer, made part by part, so that it is known of each value as soon as its container's is.
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
