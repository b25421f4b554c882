import FieldModels

/// Photos of a record that no gateway has.
public struct UnsentPhotos: Sendable {
    public let record: RecordReference
    /// What a person knows the record by.
    public let title: String
    public let photos: [Photo]
}
