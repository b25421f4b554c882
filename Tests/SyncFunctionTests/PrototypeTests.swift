import DocumentValues
import SyncFunction
import Testing

/// What one document does to what all calls share is gone for the next.
@Suite(.timeLimit(.minutes(5))) struct PrototypeTests {
    /// Ways in which functions take members of a document over, none of which looks at their names.
    private static let merges = [
        """
        function merge(to, from) {
            for (var key in from) {
                var has = to[key] !== null && (typeof to[key] === 'object' || typeof to[key] === 'function');
                if (has && from[key] !== null && typeof from[key] === 'object') merge(to[key], from[key]);
                else try { to[key] = from[key]; } catch (error) {}
            }
        }
        """,
        """
        function merge(to, from) {
            'use strict';
            Object.keys(from).forEach(function (key) {
                if (to[key] && from[key] && typeof from[key] === 'object') merge(to[key], from[key]);
                else try { to[key] = from[key]; } catch (error) {}
            });
        }
        """,
        """
        function merge(to, from, depth) {
            for (var key in from) {
                if ((depth || 0) < 2 && to[key]) merge(to[key], from[key], (depth || 0) + 1);
                else try { Object.defineProperty(to, key, Object.getOwnPropertyDescriptor(from, key)); } catch (error) {}
            }
        }
        """,
    ]

    /// Says in a channel what all objects look like that a script can reach from the beginning.
    private static let fingerprint = """
        function fingerprint(global) {
            var seen = [], sum = 7, waiting = [[global, 'global']];
            function add(text) {
                for (var i = 0; i < text.length; i++) sum = (sum * 31 + text.charCodeAt(i)) % 1000000007;
            }
            while (waiting.length) {
                var next = waiting.pop(), object = next[0];
                if (object === null || typeof object !== 'object' && typeof object !== 'function') {
                    add(typeof object + ' ' + String(object));
                    continue;
                }
                add(next[1] + seen.indexOf(object));
                if (seen.indexOf(object) >= 0) continue;
                seen.push(object);
                waiting.push([Object.getPrototypeOf(object), 'prototype']);
                Object.getOwnPropertyNames(object).forEach(function (name) {
                    var member = Object.getOwnPropertyDescriptor(object, name);
                    add(name + ('value' in member) + member.enumerable);
                    if ('value' in member) waiting.push([member.value, name]);
                    else waiting.push([member.get, name], [member.set, name]);
                });
            }
            return 'shape-' + seen.length + '-' + sum;
        }
        """

    static let attacks = [
        #"{"__proto__":{"isAdmin":true}}"#, #"{"constructor":{"prototype":{"isAdmin":true}}}"#,
        #"{"\u005f_proto__":{"isAdmin":true}}"#, #"{"constr\u0075ctor":{"x":1}}"#,
        #"{"__proto__":{"toString":"x","hasOwnProperty":"y"}}"#, #"{"list":{"__proto__":{"indexOf":1,"map":2}}}"#,
        #"{"list":{"__proto__":{"x":1,"0":"y","7":"z","length":9}}}"#, #"{"list":{"__proto__":{"__proto__":{"x":1}}}}"#,
        #"{"list":{"constructor":{"isArray":1,"x":{"y":1},"prototype":{"x":1,"push":2}}}}"#,
        #"{"constructor":{"keys":"x"}}"#, #"{"constructor":{"keys":{"x":1}}}"#,
        #"{"constructor":{"keys":{"constructor":{"prototype":{"call":1,"x":2}}}}}"#,
        #"{"constructor":{"constructor":{"prototype":{"x":1,"apply":2},"x":3}}}"#,
        #"{"constructor":{"__proto__":{"x":1}}}"#, #"{"constructor":{"__proto__":{"__proto__":{"x":1}}}}"#,
        #"{"toString":{"x":1}}"#, #"{"hasOwnProperty":{"prototype":1,"name":"x","length":7}}"#,
        #"{"text":{"__proto__":{"x":1,"split":2}}}"#, #"{"number":{"constructor":{"MAX_VALUE":1,"x":2}}}"#,
        #"{"when":{"__proto__":{"x":1,"getTime":2},"constructor":{"now":3}}}"#,
        #"{"pattern":{"__proto__":{"x":1,"test":2,"lastIndex":3,"source":4}}}"#,
        #"{"failure":{"__proto__":{"name":"x","message":"y","z":1}}}"#,
        #"{"failure":{"constructor":{"prototype":{"z":1},"captureStackTrace":2,"z":3}}}"#,
        #"{"list":{"push":{"x":1,"__proto__":{"x":1}}}}"#, #"{"math":{"PI":3,"max":{"x":1}}}"#,
        #"{"json":{"stringify":1,"parse":{"x":1},"x":1}}"#, #"{"log":{"info":1,"x":1}}"#,
        #"{"channel":{"x":1,"prototype":{"x":1,"constructor":2}}}"#,
        #"{"bytes":{"__proto__":{"x":1},"constructor":{"__proto__":{"x":1}}}}"#,
    ]

    @Test(arguments: attacks)
    func aCarelessMergeChangesNothingForOthers(document: String) async throws {
        let pool = WorkerExecutable.pool { $0.workers = 1 }
        for merge in Self.merges {
            // JSON as text: the engine's own reader makes members of it, whatever they are called.
            let function = """
                function (doc) {
                    \(merge)
                    \(Self.fingerprint)
                    var to = {
                        list: [], text: new String('a'), number: new Number(1), when: new Date(0), pattern: /a/,
                        failure: new TypeError('a'), math: Math, json: JSON, log: console, channel: channel,
                        bytes: new Uint8Array(1)
                    };
                    if (doc.shape) channel(fingerprint((0, eval)('this')));
                    else { try { merge(to, doc); } catch (error) {} channel('merged'); }
                }
                """
            let shape = try await Trial(function: function, document: #"{"shape":true}"#).outcome(pool)
            #expect(shape.channels.first?.text.hasPrefix("shape-") == true, "\(shape)")
            let merged = try await Trial(function: function, document: document).outcome(pool)
            #expect(merged.channels == ["merged"] || merged.rejection != nil, "\(merged)")
            #expect(try await Trial(function: function, document: #"{"shape":true}"#).outcome(pool) == shape)
        }
    }

    /// Whether it is the document, the old one, or who writes it.
    @Test func whereverTheNamesComeFrom() async throws {
        let pool = WorkerExecutable.pool { $0.workers = 1 }
        let function = """
            function (doc, oldDoc) {
                channel('seen-' + typeof [].left);
                [doc, oldDoc || {}].forEach(function (from) { if (from.name) ({})[from.name].prototype.left = 1; });
                ['ann', 'constructor'].forEach(function (name) {
                    try { requireUser(name); if (doc.user) Array[name].prototype.left = Array.prototype.left = 1; }
                    catch (error) {}
                });
                Array.prototype[oldDoc && oldDoc.left] = 1;
            }
            """
        let named = #"{"name":"constructor"}"#
        let user = SyncFunctionUser(name: "constructor")
        for trial in [
            Trial(function: function), Trial(function: function, document: named),
            Trial(function: function, document: "{}", oldDocument: named),
            Trial(function: function, document: #"{"user":true}"#, user: user), Trial(function: function),
        ] {
            let outcome = try await trial.outcome(pool)
            #expect(outcome.channels == ["seen-undefined"] || outcome.rejection != nil, "\(outcome)")
        }
    }

    /// Databases with the same function have no variable in common.
    @Test func eachDatabaseHasItsOwnEngine() async throws {
        let pool = WorkerExecutable.pool { $0.workers = 1 }
        let function = "(function () { var count = 0; return function (doc) { count++; channel('n' + count); }; })()"
        for (database, channel) in [("a", "n1"), ("a", "n2"), ("b", "n1"), ("a", "n3"), ("b", "n2")] {
            let trial = Trial(function: function, database: Name("\(database)"))
            #expect(try await trial.outcome(pool).channels == [Name(channel)], "\(database)")
        }
    }

    @Test(arguments: [
        "var o = {}; o.toString = function () { return 'c'; }; channel('' + o);",
        "var o = { constructor: 'c' }; channel(o.constructor);",
        "var o = {}; o.constructor = 'c'; channel(o.constructor);",
        "var e = new Error('x'); e.name = 'a'; e.message = 'c'; channel(e.message);",
        "var e = new TypeError('x'); e.toString = function () { return 'c'; }; channel('' + e);",
        "var a = []; a.toString = function () { return 'c'; }; channel('' + a);",
        "'use strict'; function f() {} f.toString = function () { return 'c'; }; channel('' + f);",
        "'use strict'; var d = new Date(0); d.toJSON = function () { return 'c'; }; channel(JSON.parse(JSON.stringify([d])));",
        "function T() {} T.prototype.toString = function () { return 'c'; }; channel('' + new T());",
        "function E() {} E.prototype = Object.create(Error.prototype); E.prototype.name = 'c'; channel(new E().name);",
        "function L() {} L.prototype = Object.create(Array.prototype); L.prototype.constructor = L;"
            + " var l = new L(); l.push('c'); if (l.length === 1 && l.constructor === L) channel(l[0]);",
        "var counts = {}; counts['valueOf'] = 'c'; channel(counts.valueOf);",
        "var counts = {}; counts['__proto__'] = { own: 'c' }; channel(counts.own);",
        "if (!Array.prototype.last) Array.prototype.last = function () { return this[this.length - 1]; };"
            + " channel(['a', 'c'].last());",
        "if (!Object.first) Object.first = function (o) { return Object.keys(o)[0]; }; channel(Object.first({ c: 1 }));",
        "String.prototype.same = function () { return '' + this; }; channel('c'.same());",
        "'use strict'; var o = {}; o.hasOwnProperty = 'c'; channel(o.hasOwnProperty);",
        "channel(Object.keys({ c: 1 })[0]);", "var n = []; for (var k in { c: 1 }) n.push(k); channel(n);",
        "var n = []; for (var k in ['c']) n.push(['c'][k]); channel(n);",
        "function A() {} function B() {} B.prototype = Object.create(A.prototype); B.prototype.constructor = B;"
            + " channel(new B().constructor === B ? 'c' : 'no');",
        "try { null.x; } catch (error) { channel(error instanceof TypeError ? 'c' : 'no'); }",
        "total = 1; channel(total === 1 ? 'c' : 'no');", "var JSON = { c: 'c' }; channel(JSON.c);",
    ])
    func usualFunctionsGoOn(body: String) async throws {
        let pool = WorkerExecutable.pool { $0.workers = 1 }
        // Twice, since a call must not miss what an earlier one had; and once with what makes calls take things back.
        for document in ["{}", "{}", #"{"constructor":"__proto__"}"#, "{}"] {
            let outcome = try await Trial(function: "function (doc) { \(body) }", document: document).outcome(pool)
            #expect(outcome.channels == ["c"], "\(outcome)")
        }
    }

    /// What a function adds where it is made is there for all calls.
    @Test func whatTheTextItselfAddsStays() async throws {
        let function = """
            (function () {
                Array.prototype.last = function () { return this[this.length - 1]; };
                return function (doc) { Array.prototype.last = 'x'; channel(['c'].last()); };
            })()
            """
        for document in ["{}", #"{"constructor":1}"#, "{}"] {
            #expect(try await Trial(function: function, document: document).outcome().channels == ["c"])
        }
    }
}
