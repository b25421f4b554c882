import DocumentValues
import Testing

@testable import AccessControl

/// Channels, roles and principals whose names look alike have nothing to do with each other.
@Suite struct LookAlikeNameTests {
    static let lookAlikes: [(Name, Name)] = [
        ("\u{E9}", "e\u{301}"), ("K", "\u{212A}"), (";", "\u{37E}"), ("project.Krak\u{F3}w", "project.Krako\u{301}w"),
    ]

    @Test(arguments: lookAlikes) func aChannelIsNotSeenByTheHolderOfTheOther(one: Name, other: Name) {
        var user = UserGrants(name: "u")
        user.channels.held[.default] = TimedSet([one: 5])
        let view = AccessView(user: user, collection: .default) { _ in nil }
        #expect(view.sees([one]) && !view.sees([other]))
        #expect(view.watchedChannels([one, other]).map(\.0) == [one])
    }

    @Test(arguments: lookAlikes) func bothAreHeldAndBothAreRead(one: Name, other: Name) {
        var user = UserGrants(name: "u")
        user.channels.held[.default] = TimedSet([one, other], at: 5)
        let view = AccessView(user: user, collection: .default) { _ in nil }
        let plan = FeedPlan(view: view, since: .zero, through: 9, wantsRevocations: false)
        #expect(Set(plan.scans.map(\.channel)).isSuperset(of: [one, other]))
    }

    @Test(arguments: lookAlikes) func aDocumentLeavesOneOfTwoChannels(one: Name, other: Name) {
        var channels = DocumentChannels()
        _ = channels.update(to: [one, other], at: 1)
        let changes = channels.update(to: [other], at: 2)
        #expect(changes.left == [one] && changes.entered == [other])
        #expect(channels.stays(in: one).map(\.end) == [2] && channels.stays(in: other).map(\.end) == [.max])
    }

    @Test(arguments: lookAlikes) func aRoleIsNotTheOther(one: Name, other: Name) {
        let user = UserGrants(name: "u", roles: TimedSet([one: 1]))
        let role = RoleGrants(name: other, channels: ChannelGrants(held: [.default: TimedSet(["c": 1])]))
        let view = AccessView(user: user, collection: .default) { $0 == other ? role : nil }
        #expect(!view.sees(["c"]))
    }

    @Test(
        arguments: [
            ("ann", true), ("\u{212A}im", true), ("a:b", false), ("a:\u{301}b", false), ("a/\u{301}b", false),
            ("a,\u{301}b", false), ("a`\u{301}b", false), ("\u{301}", false), ("", false),
        ]) func namesArePermittedByTheirBytes(name: String, isAllowed: Bool)
    {
        #expect((PrincipalName.problem(with: name) == nil) == isAllowed)
    }

    @Test func theKeyOfARoleBeginsWithTheBytesOfThePrefix() {
        #expect(PrincipalName.role(ofKey: "role:\u{301}abc") == "\u{301}abc")
        #expect(PrincipalName.role(ofKey: "rol\u{E9}:abc") == nil)
    }
}
