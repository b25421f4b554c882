import Testing

@testable import SyncFunction

/// Functions written for Sync Gateway may use underscore.js.
@Suite struct UnderscoreUseTests {
    @Test(arguments: [
        "function(doc){ if (_.contains(doc.channels, 'x')) channel('x'); }",
        "function (doc, oldDoc) {\n  channel( _ . uniq(doc.channels) ) }", "function(doc){ _(doc.a).each(channel) }",
        "function(doc){ /* var _ = 1 */ return _.keys(doc); }", "function(doc){ var s = 'var _ = 1'; _.keys(doc); }",
        "function(doc){ if (_ == 1 || _.isArray(doc)) channel('a') }", "function(doc){ channel(doc.a, _, _.b) }",
    ])
    func isFound(text: String) throws {
        let problem = try #require(UnderscoreUse.problem(in: text))
        #expect(problem.contains("underscore.js"))
    }

    @Test(arguments: [
        "function(doc){ channel(doc._.x) }", "function(doc){ var _ = {x: 1}; channel(_.x) }",
        "function(doc, _){ _.x() }", "function(_){ channel(_.channels) }", "function(doc){ // _.contains\n }",
        "function(doc){ channel('_.contains()') }", "function(doc){ channel(\"a \\\" _.x()\") }",
        "function(doc){ channel(doc.my_.x, $_.y, _a.b) }", "function(doc){ try {} catch (_) { log(_.x) } }",
        "function(doc){ doc.list.forEach(function each(_) { channel(_.name) }) }", "", "function(doc){ 'open",
    ])
    func isNotSeenWhereItIsNot(text: String) { #expect(UnderscoreUse.problem(in: text) == nil) }

    @Test(.timeLimit(.minutes(1))) func aLongTextIsReadOnce() {
        let text = "function(doc){" + String(repeating: "/* */ 'a' x.y(\"b\");", count: 20_000) + "}"
        #expect(UnderscoreUse.problem(in: text) == nil)
    }

    /// Behind a letter, which makes one `Character` of them all.
    @Test(.timeLimit(.minutes(1)), arguments: [("// ", "\n"), ("/* ", " */"), ("'", "';"), ("a", ";")])
    func marksThatCombineTakeNoSquare(before: String, after: String) throws {
        let text = before + "a" + String(repeating: "\u{301}\u{316}", count: 400_000) + after
        #expect(UnderscoreUse.problem(in: "function(doc){ \(text) }") == nil)
        let problem = try #require(UnderscoreUse.problem(in: "function(doc){ \(text) _.keys(doc); }"))
        #expect(problem.hasPrefix("_.keys belongs to underscore.js"))
    }

    @Test func marksHideNothing() throws {
        let problem = try #require(UnderscoreUse.problem(in: "function(doc){ /* a *\u{301}/ */ _.a(doc); '\u{301}' }"))
        #expect(problem.hasPrefix("_.a belongs"))
        #expect(UnderscoreUse.problem(in: "function(doc){ 'a \\\r\n _.b()' }") == nil)
    }
}
