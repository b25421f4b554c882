import DocumentValues
import SyncFunction
import Testing

/// What one document does to the prototypes is gone for the next.
@Suite(.timeLimit(.minutes(2))) struct PrototypeTests {
    private static let merging = """
        function merge(to, from) {
            for (var key in from) {
                if (from[key] !== null && typeof from[key] === 'object' && to[key]) merge(to[key], from[key]);
                else to[key] = from[key];
            }
        }
        """

    @Test(arguments: [
        #"{"__proto__":{"isAdmin":true}}"#, #"{"constructor":{"prototype":{"isAdmin":true}}}"#,
        #"{"__proto__":{"toString":"x","hasOwnProperty":"y"}}"#, #"{"list":{"__proto__":{"indexOf":1,"map":2}}}"#,
    ])
    func aCarelessMergeChangesNothingForOthers(document: String) async throws {
        let pool = WorkerExecutable.pool { $0.workers = 1 }
        let function = """
            function (doc) {
                \(Self.merging)
                try { merge({ list: [] }, doc); } catch (error) {}
                var object = {};
                if (object.isAdmin) channel('admin');
                if (('' + object) !== '[object Object]' || !{ a: 1 }.hasOwnProperty('a')) channel('broken');
                if ([1, 2].indexOf(2) !== 1 || [1].map(String)[0] !== '1') channel('array');
                channel('end');
            }
            """
        // JSON as text: the engine's own reader makes members of it, whatever they are called.
        for text in [document, "{}"] {
            let outcome = try await Trial(function: function, document: text).outcome(pool)
            #expect(outcome.channels == ["end"], "\(outcome)")
        }
    }

    @Test(arguments: [
        "var o = {}; o.toString = function () { return 'c'; }; channel('' + o);",
        "var o = { constructor: 'c' }; channel(o.constructor);",
        "var e = new Error('x'); e.name = 'a'; e.message = 'c'; channel(e.message);",
        "function T() {} T.prototype.toString = function () { return 'c'; }; channel('' + new T());",
        "var counts = {}; counts['valueOf'] = 'c'; channel(counts.valueOf);",
        "if (!Array.prototype.last) Array.prototype.last = function () { return this[this.length - 1]; };"
            + " channel(['a', 'c'].last());",
        "'use strict'; var o = {}; o.hasOwnProperty = 'c'; channel(o.hasOwnProperty);",
        "channel(Object.keys({ c: 1 })[0]);", "var n = []; for (var k in { c: 1 }) n.push(k); channel(n);",
        "function A() {} function B() {} B.prototype = Object.create(A.prototype); B.prototype.constructor = B;"
            + " channel(new B().constructor === B ? 'c' : 'no');",
        "try { null.x; } catch (error) { channel(error instanceof TypeError ? 'c' : 'no'); }",
    ])
    func usualFunctionsGoOn(body: String) async throws {
        let outcome = try await Trial(function: "function (doc) { \(body) }").outcome()
        #expect(outcome.channels == ["c"], "\(outcome)")
    }
}
