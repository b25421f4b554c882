/// The functions that a sync function can call: `channel()`, `access()`, `requireUser()` and the others.
///
/// They only record their calls; `SyncFunctionReply` interprets the record outside of the engine. The `require…` checks
/// are the exception: they have to throw.
enum JavaScriptPrelude {
    static let source = #"""
        (function (global, holds, isWhole) {
            'use strict';
            var parse = JSON.parse, stringify = JSON.stringify, isArray = Array.isArray, evaluate = global.eval;
            var text = String;
            var syncFunction = null, user = null, outcome = null, ROLE = 0, CHANNEL = 1;

            delete global.Duktape;

            /* A text or a list of texts as a list; anything else in it is left out. */
            function strings(value) {
                if (typeof value === 'string') return [value];
                var found = [];
                if (!isArray(value)) return found;
                for (var i = 0; i < value.length; i++) {
                    if (typeof value[i] === 'string') found[found.length] = value[i];
                }
                return found;
            }

            /* Like `strings`, for texts that become names. Half of a surrogate pair is no character, and outside of the engine
               all such halves would be the same name. So a name with one refuses the document, whatever the function
               catches. */
            function names(value) {
                var found = strings(value);
                for (var i = 0; i < found.length; i++) {
                    if (!isWhole(found[i])) outcome.halfCharacter = true;
                }
                return found;
            }

            function grant(list, principals, values) {
                var holders = names(principals), held = names(values);
                if (holders.length && held.length) list[list.length] = [holders, held];
            }

            function contains(list, value) {
                for (var i = 0; i < list.length; i++) {
                    if (list[i] === value) return true;
                }
                return false;
            }

            /* The lists of the user's channels and roles are outside: they may be longer than the engine reads in its time. */
            function holdsAny(kind, names) {
                for (var i = 0; i < names.length; i++) {
                    if (holds(kind, names[i])) return true;
                }
                return false;
            }

            function require(isMet, reason) {
                if (!isMet) throw { forbidden: reason };
            }

            function define(name, value) {
                Object.defineProperty(global, name, { value: value, writable: true, configurable: true });
            }

            define('channel', function () {
                for (var i = 0; i < arguments.length; i++) {
                    var found = names(arguments[i]);
                    for (var j = 0; j < found.length; j++) outcome.channels[outcome.channels.length] = found[j];
                }
            });
            define('access', function (users, channels) { grant(outcome.access, users, channels); });
            define('role', function (users, roles) { grant(outcome.roles, users, roles); });
            define('requireAdmin', function () { require(user === null, 'sg admin required'); });
            define('requireUser', function (names) {
                require(user === null || contains(strings(names), user), 'sg wrong user');
            });
            define('requireRole', function (names) {
                require(user === null || holdsAny(ROLE, strings(names)), 'sg missing role');
            });
            define('requireAccess', function (channels) {
                require(user === null || holdsAny(CHANNEL, strings(channels)), 'sg missing channel access');
            });
            define('expiry', function (value) {
                if (value instanceof Date) value = value.toISOString();
                if (value === null || value === undefined) delete outcome.expiry;
                if (typeof value === 'number' || typeof value === 'string') outcome.expiry = value;
            });

            function log(level) {
                return function () {
                    if (outcome === null || outcome.log.length >= LOG_LINES) return;
                    var texts = [];
                    for (var i = 0; i < arguments.length; i++) texts[i] = text(arguments[i]);
                    outcome.log[outcome.log.length] = [level, texts.join(' ').substring(0, LOG_LENGTH)];
                };
            }
            define('console', { log: log('info'), info: log('info'), warn: log('warning'), error: log('error') });
            define('log', log('info'));

            function rejection(error) {
                if (error !== null && error !== undefined) {
                    if (error.forbidden) return { status: 403, reason: text(error.forbidden) };
                    if (error.unauthorized) return { status: 401, reason: text(error.unauthorized) };
                }
                return { status: 500, detail: text(error) };
            }

            /* All calls share the objects of the engine. A careless merge could put members of a document into them, which all
               later calls would see. So these objects are sealed once the function is loaded. */
            var getPrototype = Object.getPrototypeOf, describe = Object.getOwnPropertyDescriptor;
            var change = Object.defineProperty, namesOf = Object.getOwnPropertyNames, hasOwn = Object.prototype.hasOwnProperty;
            var isExtensible = Object.isExtensible, close = Object.preventExtensions;
            var isOwn = hasOwn.call.bind(hasOwn);
            /* To these, functions add the methods of newer engines. */
            var open = [
                Object, Array, String, Number, Math, Date, Array.prototype, String.prototype, Number.prototype,
                Boolean.prototype, Date.prototype, RegExp.prototype, Function.prototype
            ];

            /* All objects that can be reached from the global object. */
            function builtIns() {
                var found = [], waiting = [];
                function visit(value) {
                    if (value === null || typeof value !== 'object' && typeof value !== 'function') return;
                    if (value === global || contains(found, value)) return;
                    found[found.length] = value;
                    waiting[waiting.length] = value;
                }
                function visitMembers(object) {
                    var names = namesOf(object);
                    for (var i = 0; i < names.length; i++) {
                        var member = describe(object, names[i]);
                        visit(member.value);
                        visit(member.get);
                        visit(member.set);
                    }
                    visit(getPrototype(object));
                }
                visitMembers(global);
                while (waiting.length) visitMembers(waiting.pop());
                return found;
            }

            function seal(object) {
                var names = namesOf(object);
                for (var i = 0; i < names.length; i++) keep(object, names[i]);
                if (!contains(open, object)) close(object);
            }

            /* Members that objects inherit, but often assign for themselves. An inherited member that is not writable would
               prevent the assignment, an accessor allows it. Accessors are slower to read, so other members have none. */
            var assigned = ['constructor', 'toString', 'toLocaleString', 'valueOf', 'toJSON', 'name', 'message'];
            function isAssigned(object, name) {
                return object === Object.prototype || isOwn(object, 'constructor') && contains(assigned, name);
            }

            function keep(object, name) {
                var member = describe(object, name);
                if (!isOwn(member, 'value')) {
                    if (member.configurable) change(object, name, { configurable: false });
                } else if (!member.configurable || !isAssigned(object, name)) {
                    /* Arrays' own prototype is an array; objects that inherit from it set their own length. */
                    if (object === Array.prototype && name === 'length') return;
                    change(object, name, { writable: false, configurable: false });
                } else {
                    var value = member.value;
                    change(object, name, {
                        get: function () { return value; },
                        set: function (own) {
                            if (this === object || isSealed(this)) return;
                            change(this, name, { value: own, writable: true, enumerable: true, configurable: true });
                        },
                        enumerable: member.enumerable, configurable: false
                    });
                }
            }

            function isSealed(value) {
                if (value === null || typeof value !== 'object' && typeof value !== 'function') return true;
                return contains(open, value) || !isExtensible(value);
            }

            /* Objects that others inherit from keep their own prototype. */
            function keepInheritance() {
                var member = describe(Object.prototype, '__proto__'), set = member.set;
                change(Object.prototype, '__proto__', {
                    get: member.get,
                    set: function (value) { if (!contains(open, this)) set.call(this, value); },
                    enumerable: false, configurable: false
                });
            }

            /* Takes away the members that a call has added. */
            function restore(object) {
                for (var name in object) {
                    var member = describe(object, name);
                    if (member !== undefined && member.configurable) delete object[name];
                }
            }

            function restoreAll() {
                for (var i = 0; i < open.length; i++) restore(open[i]);
                if (Array.prototype.length !== 0) Array.prototype.length = 0;
            }

            var shared = builtIns(), isPlainUser = true;

            return {
                define: function (source) {
                    var found = evaluate('(' + source + '\n)');
                    if (typeof found !== 'function') throw new TypeError('the text is not a function');
                    syncFunction = found;
                    keepInheritance();
                    for (var i = 0; i < shared.length; i++) seal(shared[i]);
                },
                setUser: function (name, isPlain) {
                    user = name;
                    isPlainUser = isPlain !== null;
                },
                run: function (doc, oldDoc, meta, numbersAsTexts, isPlain) {
                    outcome = { channels: [], access: [], roles: [], log: [] };
                    try {
                        var beside = meta === null ? { xattrs: {} } : parse(meta);
                        if (numbersAsTexts !== null) beside.numbersAsTexts = parse(numbersAsTexts);
                        syncFunction(parse(doc), oldDoc === null ? null : parse(oldDoc), beside);
                    } catch (error) {
                        outcome.rejection = rejection(error);
                    }
                    if (!isPlainUser || isPlain === null) restoreAll();
                    return stringify(outcome);
                }
            };
        })
        """#
        .replacing("LOG_LINES", with: String(SyncFunctionLimits.logLines))
        .replacing("LOG_LENGTH", with: String(SyncFunctionLimits.logLineLength))
}
