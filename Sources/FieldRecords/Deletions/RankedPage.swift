/// A page that is kept, or is to be: which of them find room is decided by age.
struct RankedPage {
    let key: String?
    /// `nil` where it is kept already.
    let newBody: [UInt8]?
    let size: Int
    /// Whether the person has made the record, or has worked on it.
    let isOwn: Bool

    init(key: String, size: Int, isOwn: Bool) {
        self.key = key
        newBody = nil
        self.size = size
        self.isOwn = isOwn
    }

    init(body: [UInt8], isOwn: Bool) {
        key = nil
        newBody = body
        size = body.count
        self.isOwn = isOwn
    }

    /// The positions of those for which there is no room.
    ///
    /// - Parameter pages: the oldest first.
    static func going(among pages: [RankedPage]) -> Set<Int> {
        let others = pages.indices.filter { !pages[$0].isOwn }
        var going = Set(others.dropLast(FieldRecordsLimits.deletedElsewhere))
        var size = 0
        for (newer, index) in pages.indices.filter({ pages[$0].isOwn }).reversed().enumerated() {
            size += pages[index].size
            guard newer >= FieldRecordsLimits.deletedElsewhere else { continue }
            if size > FieldRecordsLimits.ownDeletedElsewhereBytes { going.insert(index) }
        }
        return going
    }
}
