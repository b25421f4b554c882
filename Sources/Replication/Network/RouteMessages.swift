/// Reads the kernel's messages about the network, and tells whether any of them is good news: a link that began to run,
/// a new address, a new route.
struct RouteMessages {
    /// Links are reported for many reasons; only one that was not running before is news.
    private var running: Set<Int32> = []

    /// - Parameter bytes: one datagram: messages, each with a header of 16 bytes (`nlmsghdr`).
    mutating func read(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        var isGood = false
        while let length = Self.number(UInt32.self, in: rest, at: 0).map({ Int($0) }),
            let type = Self.number(UInt16.self, in: rest, at: 4), length >= Self.headerSize, length <= rest.count
        {
            let content = rest.dropFirst(Self.headerSize).prefix(length - Self.headerSize)
            if isGoodNews(type, content) { isGood = true }
            // The next message begins at a multiple of four.
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return isGood
    }

    private mutating func isGoodNews(_ type: UInt16, _ content: ArraySlice<UInt8>) -> Bool {
        switch type {
        case Netlink.newLink: hasBegunToRun(content)
        case Netlink.newAddress: true
        case Netlink.newRoute: Self.isMainRoute(content)
        default: false
        }
    }

    /// An `ifinfomsg`: family, padding, kind, index, flags.
    private mutating func hasBegunToRun(_ content: ArraySlice<UInt8>) -> Bool {
        guard let index = Self.number(Int32.self, in: content, at: 4),
            let flags = Self.number(UInt32.self, in: content, at: 8)
        else { return false }
        guard flags & Self.runningFlag != 0 else {
            running.remove(index)
            return false
        }
        return running.insert(index).inserted
    }

    /// An `rtmsg`: family, two prefix lengths, service, table, protocol, scope, kind. The kernel's table of local
    /// addresses says nothing that the addresses do not.
    private static func isMainRoute(_ content: ArraySlice<UInt8>) -> Bool {
        guard content.count >= 8 else { return false }
        return content[content.startIndex + 4] != localTable && content[content.startIndex + 7] == unicastRoute
    }

    private static func number<Number: FixedWidthInteger>(
        _: Number.Type, in bytes: ArraySlice<UInt8>, at offset: Int
    ) -> Number? {
        let field = bytes.dropFirst(offset).prefix(MemoryLayout<Number>.size)
        guard field.count == MemoryLayout<Number>.size else { return nil }
        // The kernel writes in the machine's own order of bytes.
        return field.withUnsafeBytes { $0.loadUnaligned(as: Number.self) }
    }

    private static let headerSize = 16
    /// `IFF_RUNNING`
    private static let runningFlag: UInt32 = 0x40
    /// `RT_TABLE_LOCAL`
    private static let localTable: UInt8 = 255
    /// `RTN_UNICAST`
    private static let unicastRoute: UInt8 = 1
}
