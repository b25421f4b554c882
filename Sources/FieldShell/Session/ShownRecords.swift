import FieldModels
import FieldRecords

/// The state of the screen: the records behind the numbers, and the shown versions of records about which the user
/// decides.
struct ShownRecords {
    /// The records behind the numbers that a person types.
    var list: LastList = []
    /// The records behind the numbers of the last list of conflicts; `nil` before the first list.
    var conflictList: LastList?
    /// The records behind the shown numbers of the outbox; a number is never used for two records.
    var outboxNumbers: [Int64: RecordReference] = [:]
    /// Records that were shown.
    let records = SeenRecords()
    /// The contested fields of records as they were shown last.
    var conflicts: [RecordReference: [ContestedField]] = [:]
    /// A record's photos in the order in which they were listed last, as the person knows them.
    var photos: [RecordReference: [Photo]] = [:]
    /// The numbers of the photos of conflicts that were shown.
    var conflictPhotos: [RecordReference: PhotoNumbers] = [:]
}
