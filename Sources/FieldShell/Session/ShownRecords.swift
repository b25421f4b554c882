import FieldModels
import FieldRecords

/// What a person has on the screen, or had: what numbers mean, and what records were like that they decide about.
struct ShownRecords {
    /// What the numbers that a person types represent.
    var list: LastList = []
    /// What the numbers of the last list of conflicts represent; `nil` before there was one.
    var conflictList: LastList?
    /// What numbers of the outbox that were shown represent; none is given to two records.
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
