import DocumentValues
import FieldModels

/// What an approval notes of an inspection's photos: laptops that had not seen it add theirs to what is approved.
enum ApprovedPhotos {
    static let member = "approvedPhotos"

    /// The same for the same photo, whatever the order of its members.
    static func digest(of photo: Photo) -> String {
        BlobDigest(of: ValueOrder.key(.object(photo.object))).text
    }
}
