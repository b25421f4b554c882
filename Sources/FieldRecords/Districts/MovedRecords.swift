/// How many records went to another district with the one they belong to.
public struct MovedRecords: Sendable, Hashable {
    public var inspections = 0
    public var findings = 0
    public var assignments = 0
    public var responses = 0

    public init() {}

    public var isEmpty: Bool { inspections + findings + assignments + responses == 0 }
}
