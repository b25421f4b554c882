import SQLiteStorage

extension DiskSpace {
    /// Bytes that the disk of a folder has left; `nil` where the system does not say.
    static func left(at folder: String) -> Int? { FreeSpace.bytes(at: folder) }
}
