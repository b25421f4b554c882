import SQLiteStorage

extension DiskSpace {
    /// Bytes that the disk of a folder has left; `nil` if the system does not report them.
    static func left(at folder: String) -> Int? { FreeSpace.bytes(at: folder) }
}
