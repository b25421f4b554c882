extension SyncReport {
    /// How many records of each list a shortened report does not name.
    public struct Unnamed: Sendable, Hashable, Codable {
        public var refused = 0
        public var notFetched = 0
        public var merged = 0
        /// Merged records that need a decision.
        public var contested = 0
        public var deleted = 0
        public var returned = 0
        public var changedApprovals = 0
        public var followed = 0
        @LaterMember public var handedOver = 0
        @LaterMember public var repeated = 0
        @LaterMember public var changedByOthers = 0

        public init() {}
    }

    /// How many records have something to decide, named or not.
    public var contested: Int { records.merged.filter { $0.outcome == .contested }.count + unnamed.contested }

    /// Names no more than the first of each list, and counts the others.
    mutating func cut(to limit: Int) {
        let failed = failures.dropFirst(limit)
        unnamed.refused += failed.filter(\.isPush).count
        unnamed.notFetched += failed.filter { !$0.isPush }.count
        unnamed.contested += records.merged.dropFirst(limit).filter { $0.outcome == .contested }.count
        failures = Array(failures.prefix(limit))
        unnamed.merged += Self.cut(&records.merged, to: limit)
        unnamed.deleted += Self.cut(&records.deleted, to: limit)
        unnamed.returned += Self.cut(&records.returned, to: limit)
        unnamed.changedApprovals += Self.cut(&records.changedApprovals, to: limit)
        unnamed.followed += Self.cut(&records.followed, to: limit)
        unnamed.handedOver += Self.cut(&records.handedOver, to: limit)
        unnamed.repeated += Self.cut(&records.repeated, to: limit)
        unnamed.changedByOthers += Self.cut(&records.changedByOthers, to: limit)
    }

    /// - Returns: how many are left out.
    private static func cut<Element>(_ list: inout [Element], to limit: Int) -> Int {
        let count = max(0, list.count - limit)
        list.removeLast(count)
        return count
    }
}

extension KeyedDecodingContainer {
    /// Reads a `SyncReport` of a version whose reports were never shortened.
    func decode(_ type: SyncReport.Unnamed.Type, forKey key: Key) throws -> SyncReport.Unnamed {
        try decodeIfPresent(type, forKey: key) ?? SyncReport.Unnamed()
    }
}
