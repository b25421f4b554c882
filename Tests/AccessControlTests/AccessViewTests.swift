import AccessControl
import DocumentValues
import Testing

/// The channels that a user holds through roles, and loses with them.
@Suite struct AccessViewTests {
    private let collection = CollectionName.default

    private func role(_ held: [Name: UInt64], lost: [Name: [SequenceSpan]] = [:]) -> RoleGrants {
        RoleGrants(
            name: "r",
            channels: ChannelGrants(held: [collection: TimedSet(held)], history: [collection: GrantHistory(lost)]))
    }

    private func view(_ user: UserGrants, _ role: RoleGrants?) -> AccessView {
        AccessView(user: user, collection: collection, role: { $0 == "r" ? role : nil })
    }

    private func revocations(_ user: UserGrants, _ role: RoleGrants?) -> [UInt64] {
        FeedPlan(view: view(user, role), since: SequenceID(20), through: 50, wantsRevocations: true)
            .revocations.map(\.revokedAt)
    }

    @Test func aRolesChannelIsHeldSinceTheLaterOfTheTwo() {
        let user = UserGrants(name: "u", roles: TimedSet(["r": 10]))
        #expect(view(user, role(["a": 5])).channels["a"] == 10)
        #expect(view(user, role(["a": 15])).channels["a"] == 15)
    }

    @Test func theEarliestOfSeveralSourcesCounts() {
        var user = UserGrants(name: "u", roles: TimedSet(["r": 10]))
        user.channels.held[collection] = TimedSet(["a": 20])
        #expect(view(user, role(["a": 5])).channels["a"] == 10)
    }

    @Test func aRoleThatIsNotThereGivesNothing() {
        let user = UserGrants(name: "u", roles: TimedSet(["r": 10]))
        #expect(view(user, nil).channels.names == ["!"])
    }

    @Test func losingARoleLosesItsChannels() {
        var user = UserGrants(name: "u")
        user.roleHistory.append(SequenceSpan(start: 10, end: 30), of: "r")
        #expect(revocations(user, role(["a": 5])) == [30])
    }

    @Test func aChannelThatLeftTheRoleIsLostByItsMembers() {
        let user = UserGrants(name: "u", roles: TimedSet(["r": 10]))
        #expect(revocations(user, role([:], lost: ["a": [SequenceSpan(start: 5, end: 40)]])) == [40])
    }

    @Test func whatWasNeverHeldTogetherIsNotLost() {
        var user = UserGrants(name: "u")
        user.roleHistory.append(SequenceSpan(start: 10, end: 30), of: "r")
        // The role got the channel after the user had lost the role.
        #expect(revocations(user, role(["a": 35])).isEmpty)
    }

    @Test func sight() {
        var user = UserGrants(name: "u")
        user.channels.held[collection] = TimedSet(["a": 1])
        let view = view(user, nil)
        #expect(view.sees(["b", "a"]))
        #expect(view.sees(["!"]))
        #expect(!view.sees(["b"]))
        #expect(!view.sees([]))
        #expect(AccessView.all.sees([]))
    }
}
