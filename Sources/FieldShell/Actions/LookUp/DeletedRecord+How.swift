import FieldRecords

extension DeletedRecord {
    var how: String { hiddenWith == nil ? "deleted \(isOwn ? "here" : "by others")" : "hidden with its inspection" }
}
