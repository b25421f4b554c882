import SodiumCrypto

/// Seals the pages of the log, each with the number of its frame and what the frame's header says of it: its page's number,
/// and whether a transaction ends with it. So no frame can be moved, and no page be given out for another.
// Used by one thread at a time, as a connection of SQLite is.
struct FrameCodec: ~Copyable {
    /// Bytes of a frame's header that never change. The salts and the checksum after them follow later, if the transaction
    /// has written a page once more.
    static let boundHeader = 8

    private let sealing: FileSealing
    /// The head of the database, the frame's number, and the start of its header.
    private let context: UnsafeMutableRawBufferPointer

    init(_ sealing: FileSealing) {
        self.sealing = sealing
        context = .allocate(byteCount: SealedHead.length + 8 + Self.boundHeader, alignment: 8)
        context.copyBytes(from: sealing.head.bytes)
    }

    deinit { context.deallocate() }

    /// - Parameter sealed: memory of a page's size and a mark.
    func seal(
        _ page: UnsafeRawPointer, frame: Int64, header: UnsafeRawPointer, into sealed: UnsafeMutableRawPointer
    ) {
        let size = sealing.head.pageSize
        sealing.log.seal(
            UnsafeRawBufferPointer(start: page, count: size), into: sealed, mark: sealed + size,
            context: context(of: frame, header: header))
    }

    /// - Returns: false if it was not sealed as the page of this frame; then it is all zeros.
    func open(
        _ sealed: UnsafeRawPointer, frame: Int64, header: UnsafeRawPointer, into page: UnsafeMutableRawPointer
    ) -> Bool {
        let size = sealing.head.pageSize
        return sealing.log.open(
            UnsafeRawBufferPointer(start: sealed, count: size), into: page, mark: sealed + size,
            context: context(of: frame, header: header))
    }

    private func context(of frame: Int64, header: UnsafeRawPointer) -> UnsafeRawBufferPointer {
        context.storeBytes(of: frame.littleEndian, toByteOffset: SealedHead.length, as: Int64.self)
        (context.baseAddress! + SealedHead.length + 8).copyMemory(from: header, byteCount: Self.boundHeader)
        return UnsafeRawBufferPointer(context)
    }
}
