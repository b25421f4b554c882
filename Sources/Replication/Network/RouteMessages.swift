/// Reads the kernel's messages about the network, and says whether any of them is good news (a link that began to run,
/// a new address, a new route) or bad (one that is gone).
struct RouteMessages {
    /// Links are reported for many reasons; only a link that was not running before is news.
    private var running: Set<Int32> = []
    private var stopped: Set<Int32> = []

    /// - Parameter bytes: one datagram: messages, each with a header of 16 bytes (`nlmsghdr`).
    /// - Returns: good news before bad.
    mutating func read(_ bytes: ArraySlice<UInt8>) -> NetworkChange? {
        var rest = bytes
        var news: NetworkChange?
        while let length = Self.number(UInt32.self, in: rest, at: 0).map({ Int($0) }),
            let type = Self.number(UInt16.self, in: rest, at: 4), length >= Self.headerSize, length <= rest.count
        {
            let content = rest.dropFirst(Self.headerSize).prefix(length - Self.headerSize)
            if let latest = self.news(type, content: content), news != .better { news = latest }
            // The next message begins at a multiple of four.
            rest = rest.dropFirst((length + 3) & ~3)
        }
        return news
    }

    private mutating func news(_ type: UInt16, content: ArraySlice<UInt8>) -> NetworkChange? {
        switch type {
        case Netlink.newLink: link(content)
        case Netlink.newAddress: .better
        case Netlink.newRoute: Self.isMainRoute(content) ? .better : nil
        case Netlink.deletedLink, Netlink.deletedAddress: .worse
        case Netlink.deletedRoute: Self.isMainRoute(content) ? .worse : nil
        default: nil
        }
    }

    /// An `ifinfomsg`: family, padding, kind, index, flags.
    private mutating func link(_ content: ArraySlice<UInt8>) -> NetworkChange? {
        guard let index = Self.number(Int32.self, in: content, at: 4),
            let flags = Self.number(UInt32.self, in: content, at: 8)
        else { return nil }
        if flags & Self.runningFlag != 0 {
            stopped.remove(index)
            return running.insert(index).inserted ? .better : nil
        }
        running.remove(index)
        return stopped.insert(index).inserted ? .worse : nil
    }

    /// An `rtmsg`: family, two prefix lengths, service, table, protocol, scope, kind. The kernel's table of local
    /// addresses shows nothing that the addresses do not show.
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
