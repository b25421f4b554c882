/// The kinds of work of `Database.performMaintenance(type:)`.
public enum MaintenanceType: UInt8, Sendable {
    /// Removes blobs that no document refers to and gives unused space back.
    case compact = 0
    /// Builds the indexes again, of each kind.
    case reindex
    /// Checks the file, every document and index, and every attachment, which is read to its end; throws `.corruptData` with
    /// the damage that was found. ``reindex`` repairs damage that is in indexes only.
    case integrityCheck
    /// Updates the statistics that queries are planned with, where they are out of date.
    case optimize
    /// Updates all of them.
    case fullOptimize
}
