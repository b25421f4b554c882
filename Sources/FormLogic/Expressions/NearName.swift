import DocumentValues

/// The name that was probably meant.
package enum NearName {
    /// Names are only compared up to so many bytes.
    private static let longest = 64

    /// The nearest of the names, if it differs by no more than a third of its letters.
    package static func nearest(to name: Name, among names: some Sequence<Name>) -> Name? {
        let sought = Array(name.utf8)
        guard !sought.isEmpty, sought.count <= longest else { return nil }
        var best: (name: Name, distance: Int)?
        for candidate in names {
            let bytes = Array(candidate.utf8)
            let limit = Swift.max(1, Swift.min(sought.count, bytes.count) / 3)
            guard bytes.count <= longest, abs(bytes.count - sought.count) <= limit else { continue }
            let distance = self.distance(sought, to: bytes)
            guard distance <= limit else { continue }
            if let best, (best.distance, best.name) <= (distance, candidate) { continue }
            best = (candidate, distance)
        }
        return best?.name
    }

    /// ` Did you mean 'x'?`, or nothing.
    package static func hint(for name: Name, among names: some Sequence<Name>) -> String {
        nearest(to: name, among: names).map { " Did you mean '\($0)'?" } ?? ""
    }

    /// Letters to change, add, remove or exchange with their neighbour.
    private static func distance(_ left: [UInt8], to right: [UInt8]) -> Int {
        var (older, old) = ([Int](), Array(0...right.count))
        for i in left.indices {
            var new = [i + 1]
            for j in right.indices {
                var cost = Swift.min(old[j] + (left[i] == right[j] ? 0 : 1), old[j + 1] + 1, new[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = Swift.min(cost, older[j - 1] + 1)
                }
                new.append(cost)
            }
            (older, old) = (old, new)
        }
        return old[right.count]
    }
}
