import DocumentValues

/// A version that was only received here, and that the gateway had and refuses now: it may have been restored from a backup.
struct LostVersion {
    let resender: RefusalMeaning.Resender
    /// Its content, or that of the deleted one; `nil` if that cannot be read.
    let body: JSONObject?

    /// Why it is refused, and who can send it.
    var text: AdvisedText {
        let laptop = sender.map { "\($0.printableLine)'s laptop" } ?? "the laptop that it is from"
        switch resender {
        case .deleter:
            return
                """
                The gateway does not know of its deletion any more: it may have been restored from a backup. It is deleted \
                again when the laptop syncs on which it was deleted.
                """
        case .creator:
            return
                """
                The gateway does not have it any more: it may have been restored from a backup. It comes back when \
                \(laptop) syncs.
                """
        case .office:
            return
                """
                The gateway does not have it as it is here: it may have been restored from a backup. It comes back when a \
                laptop of the office syncs.
                """
        case .lastWriter:
            return
                """
                The gateway has another version of it: it may have been restored from a backup. This one comes back \
                when \(laptop) syncs.
                """
        }
    }

    /// The user who made it, and whose laptop sends it.
    var sender: String? {
        let members =
            switch resender {
            // A deletion does not name its author, and a user with another role cannot send the office's records.
            case .deleter, .office: [String]()
            case .creator: ["createdBy"]
            case .lastWriter: ["changedBy", "createdBy"]
            }
        return members.lazy.compactMap { body?[$0]?.stringValue }.first
    }
}
