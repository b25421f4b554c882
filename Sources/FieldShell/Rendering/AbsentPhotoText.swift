import DocumentValues
import FieldModels
import FieldRecords

/// Photos that are not on this laptop yet.
enum AbsentPhotoText {
    /// Behind a photo in a list; nothing for one that is here, and where the key would have to be opened to know that.
    static func mark(_ photo: Photo, in field: FieldDatabase) throws -> String {
        let absent = field.absentPhotos
        return try absent.areKnown && !absent.isHere(photo) ? ", not on this laptop yet" : ""
    }

    /// The line of `status`; `nil` where there is nothing to say.
    static func status(_ absent: Int, by policy: PhotoPolicy) -> String? {
        let setting: String? =
            switch policy {
            case .always: nil
            case .onDemand: "photos of others come when you open them"
            case .goodLink: "photos of others come over a good link, or when you open them"
            }
        let count = absent > 0 ? "\(absent.of("photo")) not on this laptop yet" : nil
        let parts = [setting, count].compactMap(\.self)
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// The line of a sync's report.
    static func synced(_ absent: Int) -> String? {
        absent == 0
            ? nil
            : "\(absent.of("photo")) \(absent == 1 ? "is" : "are") not on this laptop yet: photo open fetches one."
    }
}
