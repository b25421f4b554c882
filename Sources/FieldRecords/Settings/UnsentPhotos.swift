import FieldModels

/// Photos of a record that no gateway has.
public struct UnsentPhotos: Sendable {
    public let record: RecordReference
    /// The title of the record for people.
    public let title: String
    public let photos: [Photo]
}
