import DocumentValues
import FieldModels

/// A finding has the day of its inspection, by which it is listed and searched.
extension Moves {
    /// Has the findings of an inspection whose day was a slip go along with it, also those that an earlier change has left
    /// behind.
    ///
    /// - Parameters:
    ///   - old: the inspection before it was changed.
    ///   - new: the inspection as it is.
    public func bringFindingDatesAlong(from old: Inspection, to new: Inspection, by author: Author) throws {
        guard old.date != new.date else { return }
        for finding in try findings.all(ofInspection: new.id).records {
            try findings.update(finding.id, by: author) { $0.move(to: new.date) }
        }
    }
}
