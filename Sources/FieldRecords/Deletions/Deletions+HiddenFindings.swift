import DocumentStore
import DocumentValues
import FieldModels

/// Findings that no list shows any more because their inspection was deleted. They were not deleted themselves, and belong to
/// other people than the inspection.
extension Deletions {
    /// A person's findings at their own inspection are not among them: they come back with it.
    ///
    /// - Parameters:
    ///   - deleted: the records that others have deleted, including inspections.
    ///   - user: the creator of the findings; `nil` for those of all users.
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
