/// In the notes that other versions of the program write and read, too.
extension ServiceState: Codable {
    private struct Members: NoteMembers {
        static let textName = "why"

        let activity: Activity
        let completed: UInt64
        let total: UInt64
        let refused: Int?
    }

    public init(from decoder: any Decoder) throws {
        let read = try AdvisedMembers<Members>(from: decoder)
        self.init(
            read.others.activity, completed: read.others.completed, total: read.others.total, why: read.text,
            refused: read.others.refused)
    }

    public func encode(to encoder: any Encoder) throws {
        let members = Members(activity: activity, completed: completed, total: total, refused: refused)
        try AdvisedMembers(members, text: why).encode(to: encoder)
    }
}
