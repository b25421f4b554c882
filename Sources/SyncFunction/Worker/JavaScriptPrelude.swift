/// What a sync function finds around it: `channel()`, `access()`, `requireUser()` and the others.
///
/// They only take down how they were called; what it means is decided outside, in `SyncFunctionReply`. The `require…`
/// checks are the exception: they have to throw.
enum JavaScriptPrelude {
    static let source = #"""
        (function (global) {
            'use strict';
            var parse = JSON.parse, stringify = JSON.stringify, isArray = Array.isArray, evaluate = global.eval;
            var text = String;
            var syncFunction = null, user = null, outcome = null;

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

            function grant(list, names, values) {
                var holders = strings(names), held = strings(values);
                if (holders.length && held.length) list[list.length] = [holders, held];
            }

            function contains(list, value) {
                for (var i = 0; i < list.length; i++) {
                    if (list[i] === value) return true;
                }
                return false;
            }

            function containsAny(list, values) {
                for (var i = 0; i < values.length; i++) {
                    if (contains(list, values[i])) return true;
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
                    var names = strings(arguments[i]);
                    for (var j = 0; j < names.length; j++) outcome.channels[outcome.channels.length] = names[j];
                }
            });
            define('access', function (users, channels) { grant(outcome.access, users, channels); });
            define('role', function (users, roles) { grant(outcome.roles, users, roles); });
            define('requireAdmin', function () { require(user === null, 'sg admin required'); });
            define('requireUser', function (names) {
                require(user === null || contains(strings(names), user.name), 'sg wrong user');
            });
            define('requireRole', function (names) {
                require(user === null || containsAny(user.roles, strings(names)), 'sg missing role');
            });
            define('requireAccess', function (channels) {
                require(user === null || containsAny(user.channels, strings(channels)), 'sg missing channel access');
            });
            define('expiry', function (value) {
                if (value instanceof Date) value = value.toISOString();
                if (value === null || value === undefined) delete outcome.expiry;
                if (typeof value === 'number' || typeof value === 'string') outcome.expiry = value;
            });

            function log(level) {
                return function () {
                    if (outcome === null || outcome.log.length >= LOG_LINES) return;
                    var words = [];
                    for (var i = 0; i < arguments.length; i++) words[i] = text(arguments[i]);
                    outcome.log[outcome.log.length] = [level, words.join(' ').substring(0, LOG_LENGTH)];
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

            /* What a document brings into a prototype, by a careless merge, would be there for all later calls. Objects can
               still have members of these names of their own, also by an assignment. */
            function protect(prototype, isSealed) {
                var names = Object.getOwnPropertyNames(prototype);
                for (var i = 0; i < names.length; i++) keep(prototype, names[i], isSealed);
                if (isSealed) Object.preventExtensions(prototype);
            }
            function keep(prototype, name, isSealed) {
                var found = Object.getOwnPropertyDescriptor(prototype, name);
                if (!found.configurable) return;
                if (!isSealed || !('value' in found)) {
                    found.configurable = false;
                    if ('value' in found) found.writable = false;
                    Object.defineProperty(prototype, name, found);
                    return;
                }
                var value = found.value, define = Object.defineProperty;
                define(prototype, name, {
                    get: function () { return value; },
                    set: function (own) {
                        if (this === prototype) return;
                        define(this, name, { value: own, writable: true, enumerable: true, configurable: true });
                    },
                    enumerable: found.enumerable, configurable: false
                });
            }
            var errors = [Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError];
            for (var i = 0; i < errors.length; i++) protect(errors[i].prototype, true);
            /* To these, functions add what newer engines have. */
            var others = [Array, String, Number, Boolean, Date, RegExp, Function];
            for (var j = 0; j < others.length; j++) protect(others[j].prototype, false);
            protect(Object.prototype, true);

            return {
                define: function (source) {
                    var found = evaluate('(' + source + '\n)');
                    if (typeof found !== 'function') throw new TypeError('the text is not a function');
                    syncFunction = found;
                },
                setUser: function (json) { user = json === null ? null : parse(json); },
                run: function (doc, oldDoc) {
                    outcome = { channels: [], access: [], roles: [], log: [] };
                    try {
                        syncFunction(parse(doc), oldDoc === null ? null : parse(oldDoc), { xattrs: {} });
                    } catch (error) {
                        outcome.rejection = rejection(error);
                    }
                    return stringify(outcome);
                }
            };
        })(this);
        """#
        .replacing("LOG_LINES", with: String(SyncFunctionLimits.logLines))
        .replacing("LOG_LENGTH", with: String(SyncFunctionLimits.logLineLength))
}
