/// The work that an engine needs beside reading and writing: on SQLite's files, a log and free pages, and space that is
/// reserved for a full disk. An engine whose server does such work by itself has none (`GatewayStore.upkeep`).
protocol StoreUpkeep: Sendable {
    /// Missing bytes of the space that is reserved for requests that make room or revoke access.
    var missingReserve: Int { get }

    /// - Parameter report: called with the number of missing bytes, and with 0 when none are missing any more.
    func onChangeOfReserve(_ report: @escaping @Sendable (_ missing: Int) -> Void)

    /// Reserves that space again if the disk had no room for it before.
    func completeReserve() async

    /// Throws 503 if the remaining space is reserved for requests that make room or revoke access. A write checks that by
    /// itself; this is for work before it, such as receiving an attachment.
    func checkRoom() async throws

    /// Gives the free space within the store back to the disk, if that is worth the work.
    ///
    /// - Parameter freeSpace: bytes that the disk of a folder has left.
    /// - Throws: 507 if they do not suffice for it.
    func giveBackFreePages(freeSpace: @Sendable @escaping (_ folder: String) -> Int?) async throws

    /// If writes find no room, gives the space of the log back to the disk.
    ///
    /// - Returns: the bytes that the disk lacks for that; if there are any, the log stays as it is.
    func emptyLogIfDiskIsFull() async throws -> Int

    /// Removes erased bytes from the log, if that has not been done yet.
    func emptyLogIfDue() async throws
}
