import DocumentValues
import SyncFunction
import Testing

/// What the calls in a sync function mean: each row of the table, in a real worker.
@Suite(.timeLimit(.minutes(2))) struct SemanticsTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let body: String
        var document = "{}"
        var old: String?
        var user: SyncFunctionUser?
        let expected: SyncFunctionOutcome

        var testDescription: String { body }
    }

    static let alice = SyncFunctionUser(name: "alice", roles: ["staff"], channels: ["north", "!"])
    static let guest = SyncFunctionUser(name: "GUEST")
    static let longChannel = SyncFunctionOutcome.refused(413, "The name of a channel has more than 512 bytes")
    /// A character of two UTF-16 units, and what halves of such a pair become outside of the engine.
    static let pair = SyncFunctionUser(name: "pair", channels: ["😀", "\u{FFFD}"])

    static let channels: [Row] = [
        Row(body: "channel('a', ['b', 'c'], null, undefined);", expected: .init(channels: ["a", "b", "c"])),
        Row(
            body: "channel(doc.channels);", document: #"{"channels":[1,null,"ok",["x"],{}]}"#,
            expected: .init(channels: ["ok"])),
        Row(body: "channel(7, true, {a: 1});", expected: .init()),
        Row(body: "channel('*', '!');", expected: .init(channels: ["*", "!"])),
        Row(body: "channel('a,b');", expected: .exception),
        Row(body: "channel('');", expected: .exception),
        Row(body: "channel(new Array(513).join('é'));", expected: longChannel),
        Row(
            body: "channel(new Array(257).join('é'));",
            expected: .init(channels: [Name(String(repeating: "é", count: 256))])),
        Row(body: "access('ann', new Array(514).join('a'));", expected: longChannel),
        Row(body: "try { channel('') } catch (e) {}", expected: .exception),
        // All halves of pairs would be one channel outside.
        Row(body: "channel('\\ud83d');", expected: .exception), Row(body: "channel('\\ude00');", expected: .exception),
        Row(body: "channel('a', ['b', 'x\\ude00']);", expected: .exception),
        Row(body: "channel('\\ude00\\ud83d');", expected: .exception),
        Row(body: "channel('\\ud83d\\ud83d\\ude00');", expected: .exception),
        Row(body: "channel('\\ud83d\\ude00\\ude00');", expected: .exception),
        Row(body: "try { channel('\\ud83d') } catch (e) {}", expected: .exception),
        Row(body: "channel(doc.name.charAt(0));", document: #"{"name":"😀"}"#, expected: .exception),
        Row(
            body: "channel('\\ud83d\\ude00\\ud83d\\ude01', 'é', '\\ufffd');",
            expected: .init(channels: ["😀😁", "é", "\u{FFFD}"])),
        Row(body: "channel(doc.name);", document: #"{"name":"\ud83d\ude00"}"#, expected: .init(channels: ["😀"])),
        Row(
            body: "channel(doc.name + doc.name.length);", document: #"{"name":"😀é"}"#,
            expected: .init(channels: ["😀é3"])),
        Row(
            body: "if (doc.a === doc.b) channel('same');", document: #"{"a":"😀","b":"\ud83d\ude00"}"#,
            expected: .init(channels: ["same"])),
    ]

    static let grants: [Row] = [
        Row(body: "access('bob', 'c');", expected: .init(access: ["bob": ["c"]])),
        Row(
            body: "access(['bob', 'role:r', 3], ['c', 'd', '*']);",
            expected: .init(access: ["bob": ["c", "d"], "role:r": ["c", "d"]])),
        Row(body: "access('bob', 'c'); access('bob', 'd');", expected: .init(access: ["bob": ["c", "d"]])),
        Row(body: "access('__proto__', 'c');", expected: .init(access: ["__proto__": ["c"]])),
        Row(body: "access(null, 'c'); access('bob', []); access();", expected: .init()),
        Row(body: "access('bob', 'a,b');", expected: .exception),
        Row(
            body: "role('bob', 'role:r'); role(['ann'], ['role:r', 'role:s']);",
            expected: .init(roles: ["bob": ["r"], "ann": ["r", "s"]])),
        Row(body: "role('bob', 'r');", expected: .exception),
        Row(body: "access('role:', 'c');", expected: .init(access: ["role:": ["c"]])),
        Row(body: "access('a/b', 'c');", expected: .badPrincipal),
        Row(body: "access(['bob', 'a,b'], 'c');", expected: .badPrincipal),
        Row(body: "access('role:a:b', 'c');", expected: .badPrincipal),
        Row(body: "access('--', 'c');", expected: .badPrincipal),
        Row(body: "role('a`b', 'role:r');", expected: .badPrincipal),
        Row(body: "role('bob', 'role:a/b');", expected: .badPrincipal),
        Row(body: "access('\\ud83d', 'c');", expected: .exception),
        Row(body: "access('bob', '\\ud83d');", expected: .exception),
        Row(body: "role('\\ud83d', 'role:r');", expected: .exception),
        Row(body: "role('bob', 'role:\\ud83d');", expected: .exception),
        Row(
            body: "var a = []; for (var i = 0; i < 224; i++) a.push('n' + i); access(a, a); access(a, a);",
            expected: .tooManyGrants(100_352)),
        // What two lists represent would not fit into any memory.
        Row(
            body: "var a = []; for (var i = 0; i < 100000; i++) a.push('n' + i); access(a, a);",
            expected: .tooManyGrants(10_000_000_000)),
        Row(
            body: "var a = []; for (var i = 0; i < 50001; i++) a.push('n' + i); role(a, 'role:r');",
            expected: .tooManyGrants(50_001)),
    ]

    static let requirements: [Row] = [
        Row(body: "requireUser('alice');", user: alice, expected: .init()),
        Row(body: "requireUser(['bob', 'alice']);", user: alice, expected: .init()),
        Row(body: "requireUser('bob');", user: alice, expected: .refused(403, "sg wrong user")),
        Row(body: "requireUser('bob');", user: guest, expected: .refused(403, "sg wrong user")),
        Row(body: "requireRole('staff');", user: alice, expected: .init()),
        Row(body: "requireRole('boss');", user: alice, expected: .refused(403, "sg missing role")),
        Row(body: "requireAccess(['x', 'north']);", user: alice, expected: .init()),
        Row(body: "requireAccess('south');", user: alice, expected: .refused(403, "sg missing channel access")),
        Row(body: "requireAccess([]);", user: alice, expected: .refused(403, "sg missing channel access")),
        Row(body: "requireAccess([7, null, ['north'], 'north']);", user: alice, expected: .init()),
        Row(body: "requireAccess(['😀', 'x']);", user: pair, expected: .init()),
        Row(body: "requireAccess('\\ud83d\\ude00');", user: pair, expected: .init()),
        Row(body: "requireAccess('\\ud83d');", user: pair, expected: .refused(403, "sg missing channel access")),
        Row(body: "requireRole('north');", user: alice, expected: .refused(403, "sg missing role")),
        Row(body: "requireAdmin();", user: alice, expected: .refused(403, "sg admin required")),
        Row(body: "requireAdmin(); requireUser('x'); requireRole('x'); requireAccess('x');", expected: .init()),
        Row(
            body: "try { requireUser('bob') } catch (e) { channel(e.forbidden) }", user: alice,
            expected: .init(channels: ["sg wrong user"])),
    ]

    static let refusals: [Row] = [
        Row(body: "throw({forbidden: 'no'});", expected: .refused(403, "no")),
        Row(body: "throw({unauthorized: 'who?'});", expected: .refused(401, "who?")),
        Row(body: "throw({forbidden: 42});", expected: .refused(403, "42")),
        Row(body: "channel('a'); throw({forbidden: 'no'});", expected: .refused(403, "no")),
        Row(body: "undefinedFunction();", expected: .exception),
        Row(body: "throw null;", expected: .exception),
        Row(body: "throw 'text';", expected: .exception),
        Row(body: "(function f() { f(); f(); })();", expected: .exception),
        Row(body: "var o = {}; o.o = o; JSON.stringify(o);", expected: .exception),
    ]

    static let rest: [Row] = [
        Row(body: "if (oldDoc === null && meta.xattrs) channel('new');", expected: .init(channels: ["new"])),
        Row(
            body: "channel(oldDoc.c + doc._rev);", document: #"{"_rev":"2-b"}"#, old: #"{"c":"old"}"#,
            expected: .init(channels: ["old2-b"])),
        Row(body: "expiry(60);", expected: .init(expiry: .seconds(60))),
        Row(body: "expiry('2030-01-01T00:00:00Z');", expected: .init(expiry: .text("2030-01-01T00:00:00Z"))),
        Row(body: "expiry(60); expiry(null);", expected: .init()),
        Row(body: "expiry(NaN); expiry(-1);", expected: .init()),
        Row(body: "expiry(0);", expected: .init(expiry: .seconds(0))),
        Row(
            body: "channel(doc.a, doc.b.c[0], '' + (doc.a > oldDoc.d), typeof doc.e, '' + doc.f, doc.g, doc.h);",
            document: #"""
                {"a":9007199254740992,"b":{"c":[-1234567890123456789]},"e":9007199254740991,"f":-9007199254740991,
                "g":"1234567890123456789 \" 12345678901234567890","h":1e400}
                """#, old: #"{"d":900719925474099200}"#,
            expected: .init(channels: [
                "9007199254740992", "-1234567890123456789", "false", "number", "-9007199254740991",
                #"1234567890123456789 " 12345678901234567890"#, "1e400",
            ])),
        Row(
            body: "channel(meta.numbersAsTexts.join('|'), '' + meta.xattrs);",
            document: #"{"a":[{"b":1e999}],"c":-12345678901234567890,"d":"1e998"}"#,
            expected: .init(channels: ["1e999|-12345678901234567890", "[object Object]"])),
        Row(
            body: "channel('' + meta.numbersAsTexts);", document: #"{"a":9007199254740991,"b":"1e999"}"#,
            expected: .init(channels: ["undefined"])),
        Row(
            body: "channel('' + doc.a, '' + doc.b, '' + doc.c);",
            document: #"{"a":1.2345678901234567890,"b":1e15,"c":100000000000000000000.0}"#,
            expected: .init(channels: ["1.2345678901234567", "1000000000000000", "100000000000000000000"])),
        Row(body: "console.log('a', {}, null); console.error(1); log('x');", expected: .init()),
        Row(body: "channel(typeof Duktape, typeof require, typeof print);", expected: .init(channels: ["undefined"])),
    ]

    /// What a request says beside the document.
    @Test func theThirdArgumentSaysWhatTheBodyDoesNot() async throws {
        let function = """
            function (doc, oldDoc, meta) {
                channel(Object.keys(meta).sort().join('-'), 'e' + meta.expiry);
                if (meta.attachments) channel(Object.keys(meta.attachments));
                meta.xattrs.kept = true;
            }
            """
        let rows: [(SyncFunctionMeta, Set<Name>)] = [
            (SyncFunctionMeta(), ["xattrs", "eundefined"]),
            (SyncFunctionMeta(expires: 1_900_000_000), ["expiry-xattrs", "e1900000000"]),
            (SyncFunctionMeta(attachments: ["p": ["digest": "d"]]), ["attachments-xattrs", "eundefined", "p"]),
            (SyncFunctionMeta(attachments: [:]), ["attachments-xattrs", "eundefined"]),
        ]
        for (meta, channels) in rows {
            let outcome = try await Trial(function: function, meta: meta).outcome()
            #expect(outcome == SyncFunctionOutcome(channels: channels))
        }
    }

    @Test(arguments: channels + grants + requirements + refusals + rest)
    func means(row: Row) async throws {
        let trial = Trial(
            function: "function (doc, oldDoc, meta) { \(row.body) }", document: row.document, oldDocument: row.old,
            user: row.user)
        #expect(try await trial.outcome() == row.expected)
    }

    @Test(arguments: [
        ("function(doc){ // the end", "SyntaxError"), ("function(doc){", "SyntaxError"), ("42", "not a function"),
        ("nosuch", "nosuch"), ("", "SyntaxError"),
    ])
    func textsThatAreNoFunction(text: String, named: String) async throws {
        let problem = try #require(try await Trial.shared.problem(with: SyncFunctionSource(text)))
        #expect(problem.hasPrefix("invalid javascript syntax: "))
        #expect(problem.contains(named), "\(problem)")
        #expect(try await Trial(function: text).outcome() == .exception)
    }

    @Test(arguments: [
        "function(doc){ channel('x'); }", "function (doc, oldDoc, meta) { } // a comment",
        "/* first */ function named(doc) {}",
        "function(doc){channel(doc.channels);}",
    ])
    func textsThatAreFunctions(text: String) async throws {
        #expect(try await Trial.shared.problem(with: SyncFunctionSource(text)) == nil)
    }
}
