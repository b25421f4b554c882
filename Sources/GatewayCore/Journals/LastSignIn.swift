import DocumentValues

/// When a user began to sync, or signed in for a session, the last time with a program.
package struct LastSignIn: Sendable, Hashable {
    package var user: String
    /// Seconds since 1970.
    package var time: Int64
    /// The client's user agent; that of our laptops has the laptop's name.
    package var agent: String

    package var json: JSONObject {
        ["user": .string(user), "at": .string(KeptTime.text(time)), "agent": .string(agent)]
    }

    /// `nil` for an invalid entry.
    init?(_ json: JSONObject) {
        guard let user = json["user"]?.stringValue, let time = json["at"]?.stringValue.flatMap(KeptTime.seconds)
        else { return nil }
        self.init(user: user, time: time, agent: json["agent"]?.stringValue ?? "")
    }

    init(user: String, time: Int64, agent: String) {
        self.user = user
        self.time = time
        self.agent = agent
    }
}
