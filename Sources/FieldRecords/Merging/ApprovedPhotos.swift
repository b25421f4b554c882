import DocumentValues
import FieldModels

/// The photos that an approval notes: laptops that do not know of the approval yet add theirs to the approved
/// inspection.
enum ApprovedPhotos {
    static let member = Inspection.Key.approvedPhotos.rawValue

    /// The same for the same photo, whatever the order of its members.
    static func digest(of photo: Photo) -> String {
        BlobDigest(of: ValueOrder.key(.object(photo.object))).text
    }
}
