import DocumentValues
import FieldRecords

/// The numbers under which a record's photos were shown. They keep their photos while the user decides: a decision may take
/// a photo out of the record, and all below it move up.
struct PhotoNumbers: Sendable, Hashable {
    private var numbers: [Name: Int] = [:]

    /// - Parameter keys: of the photos, in the order in which they are shown, from 1.
    init(_ keys: [Name]) { add(keys) }

    /// Photos that were not there when the numbers were given get those after them.
    mutating func add(_ keys: [Name]) {
        var last = numbers.values.max() ?? 0
        for key in keys where numbers[key] == nil {
            last += 1
            numbers[key] = last
        }
    }

    subscript(key: Name) -> Int? { numbers[key] }
}

extension ShellSession {
    /// The numbers of a conflict's photos as they were shown last, or as they are where they were not shown yet. Outside the
    /// shell nothing lasts from one command to the next, and so there are none.
    func photoNumbers(of conflict: RecordConflict) -> PhotoNumbers? {
        guard isShell else { return nil }
        let reference = RecordReference(conflict.kind, id: conflict.id)
        var numbers = shown.conflictPhotos[reference] ?? PhotoNumbers(conflict.photoKeys)
        numbers.add(conflict.photoKeys)
        return numbers
    }

    /// Keeps the numbers under which the photos were shown for the decisions that follow.
    ///
    /// - Parameter counting: the photos as they are now, because all of them are shown now.
    func keepPhotoNumbers(of conflict: RecordConflict, counting: Bool) {
        let reference = RecordReference(conflict.kind, id: conflict.id)
        if counting { shown.conflictPhotos[reference] = nil }
        shown.conflictPhotos[reference] = photoNumbers(of: conflict)
    }
}
