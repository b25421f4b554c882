import DocumentStore
import DocumentValues
import FieldModels
import FieldRecords

/// Notices inspections that lose their site. Reads inspections only after sites have gone.
struct SiteWatch {
    private var through: UInt64?
    private var count = 0
    private var known: Set<Name> = []

    /// - Returns: the number of inspections that have lost their site since the last time; none at the first time,
    ///   because the greeting reports the present ones.
    mutating func lost(in field: FieldDatabase, of user: String?) throws -> Int {
        let sites = field.collection(of: .site)
        let isFirst = through == nil
        var hasGone = isFirst
        if let start = through {
            through = try sites.forEachBody(changedAfter: start) { _, json in if json == nil { hasGone = true } }
        } else {
            through = try sites.lastSequence()
        }
        // A purged record is in no list of changes.
        let before = count
        count = Int(sites.count)
        guard hasGone || count < before else { return 0 }
        let siteless = Set(try field.work.siteless(of: user).map { Name($0.id) })
        defer { known = siteless }
        return isFirst ? 0 : siteless.subtracting(known).count
    }
}
