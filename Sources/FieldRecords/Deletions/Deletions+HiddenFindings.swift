import DocumentStore
import DocumentValues
import FieldModels

/// Findings that no list shows since others have deleted the inspection of somebody else: nobody has deleted them, and who made
/// them did not make the inspection.
extension Deletions {
    /// What somebody has found at an inspection of their own comes back with that, and is not among them.
    ///
    /// - Parameters:
    ///   - deleted: what others have deleted, inspections among it.
    ///   - user: who has made them; `nil` for those of everybody.
    public func hiddenFindings(with deleted: [DeletedRecord], madeBy user: String? = nil) throws -> [DeletedRecord] {
        let inspections = Dictionary(
            deleted.filter { $0.kind == .inspection && !$0.isOwn }.map { (Name($0.id), $0) },
            uniquingKeysWith: { first, _ in first })
        guard !inspections.isEmpty else { return [] }
        let titles = RecordTitles(store, besides: deleted)
        var hidden: [DeletedRecord] = []
        try collection(of: .finding).forEachBody { id, json in
            guard let body = JSONObject.readable(json), let creator = body["createdBy"]?.stringValue,
                user.map({ creator.isExactly($0) }) ?? true,
                let inspection = body["inspection"]?.stringValue.flatMap({ inspections[Name($0)] }),
                !inspection.isWork(of: creator)
            else { return }
            hidden.append(
                DeletedRecord(
                    kind: .finding, id: id, title: try titles.title(of: .finding, body) ?? id,
                    moment: inspection.moment, body: body, isSeen: inspection.isSeen,
                    hiddenWith: inspection.reference))
        }
        return hidden
    }
}
