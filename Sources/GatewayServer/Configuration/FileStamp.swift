import Foundation

/// What shows that a file is another one than before: when it was changed, and which one it is, since a file that was
/// put in its stead may have the same time.
struct FileStamp: Equatable {
    private let changed: Date
    private let number: UInt64

    /// `nil` if there is no file. Behind a link it is the link's target that changes.
    init?(path: String) {
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: path),
            let changed = attributes[.modificationDate] as? Date
        else { return nil }
        self.changed = changed
        number = (attributes[.systemFileNumber] as? NSNumber)?.uint64Value ?? 0
    }
}
