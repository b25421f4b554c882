import SodiumCrypto

/// Seals the pages of a database, each for its number, with nonce and tag in its reserved bytes. The first page has the head
/// in front.
// Used by one thread at a time, as a connection of SQLite is.
struct PageCodec: ~Copyable {
    private let sealing: FileSealing
    private let plainStart: [UInt8]
    /// The head, and the number of the page, which are authenticated with it.
    private let context: UnsafeMutableRawBufferPointer
    private var head: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: context[..<SealedHead.length]) }

    var pageSize: Int { sealing.head.pageSize }

    init(_ sealing: FileSealing) {
        self.sealing = sealing
        plainStart = PlainHeader.bytes(pageSize: sealing.head.pageSize)
        context = .allocate(byteCount: SealedHead.length + 8, alignment: 8)
        context.copyBytes(from: sealing.head.bytes)
    }

    deinit { context.deallocate() }

    /// - Parameters:
    ///   - page: as SQLite has it. Its reserved bytes are not kept.
    ///   - sealed: a page's size of memory.
    func seal(_ page: UnsafeRawPointer, number: Int64, into sealed: UnsafeMutableRawPointer) {
        let (start, end) = bounds(of: number)
        if number == 1 { sealed.copyMemory(from: head.baseAddress!, byteCount: start) }
        sealing.pages.seal(
            UnsafeRawBufferPointer(start: page + start, count: end - start), into: sealed + start, mark: sealed + end,
            context: context(of: number))
    }

    /// - Parameter page: a page's size of memory; afterwards as SQLite has it, with zeros as reserved bytes.
    /// - Returns: false if it was not sealed as the page of this number; then all its bytes that depend on the file are zeros.
    func open(_ sealed: UnsafeRawPointer, number: Int64, into page: UnsafeMutableRawPointer) -> Bool {
        let (start, end) = bounds(of: number)
        let isOpen = sealing.pages.open(
            UnsafeRawBufferPointer(start: sealed + start, count: end - start), into: page + start, mark: sealed + end,
            context: context(of: number))
        (page + end).initializeMemory(as: UInt8.self, repeating: 0, count: pageSize - end)
        if number == 1 { putPlainStart(into: page) }
        return isOpen
    }

    /// The 24 bytes that do not depend on the file's content.
    func putPlainStart(into page: UnsafeMutableRawPointer) {
        plainStart.withUnsafeBytes { page.copyMemory(from: $0.baseAddress!, byteCount: $0.count) }
    }

    /// The sealed bytes of a page.
    private func bounds(of number: Int64) -> (start: Int, end: Int) {
        (number == 1 ? SealedHead.length : 0, pageSize - SecretKey.sealingOverhead)
    }

    private func context(of number: Int64) -> UnsafeRawBufferPointer {
        context.storeBytes(of: number.littleEndian, toByteOffset: SealedHead.length, as: Int64.self)
        return UnsafeRawBufferPointer(context)
    }
}
