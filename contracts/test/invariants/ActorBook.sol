// SPDX-License-Identifier: MIT
pragma solidity ^0.8.30;

import "../MarketTest.sol";
import {SigningWallet} from "../mocks/Wallets.sol";

/// @notice Who takes part in a random run, and the dice that everything random is drawn from.
abstract contract ActorBook is MarketTest {
    /// @dev They post and claim in turns; each may be poster here and worker there. The fallback arbitrator is one of
    /// them, so that its own tasks get disputed, too.
    address[] internal agents;
    /// @dev The second agent arbitrates, too, so that a named arbitrator may turn out to be a party.
    address[] internal judges;
    /// @dev Everybody who has a token or may get one, contracts of the market aside. Whoever has a deposit may
    /// claim out of turn, so every one of them can sign.
    address[] internal people;
    /// @dev An agent that keeps no more than the entry deposit and tends to walk away: the way to a paused agent.
    address internal careless;
    mapping(address account => uint256) private _keys;
    uint256 private _entropy;

    function setUp() public virtual override {
        super.setUp();
        openStaking();
        enlist(poster, posterKey);
        enlist(worker, workerKey);
        careless = hire("careless");
        hire("fallbackArbitrator");
        hire("buyer");
        hireSmartWallet();
        (, _keys[rival]) = makeAddrAndKey("rival");
        (, _keys[arbitrator]) = makeAddrAndKey("arbitrator");
        judges = [arbitrator, worker, equipNew("secondArbitrator"), equipNew("thirdArbitrator")];
        people = [treasury, stranger, rival, address(this)];
        for (uint256 index = 0; index < agents.length; ++index) people.push(agents[index]);
        for (uint256 index = 0; index < judges.length; ++index) {
            if (judges[index] != worker) people.push(judges[index]);
        }
        courtAs(worker).registerArbitrator(MIN_BOND, 0);
        courtAs(judges[2]).registerArbitrator(2 * MIN_BOND + 1, 0);
        uint96 spare = depositOf(careless) - ENTRY;
        depositsAs(careless).withdraw(spare, careless);
    }

    /// @dev What a step draws follows from its own seed alone, so that a failing run shrinks well.
    function shuffle(uint256 seed) internal {
        _entropy = seed;
    }

    /// @dev A number from 0 to `sides` - 1.
    function roll(uint256 sides) internal returns (uint256) {
        _entropy = uint256(keccak256(abi.encode(_entropy)));
        return _entropy % sides;
    }

    function chance(uint256 percent) internal returns (bool) {
        return roll(100) < percent;
    }

    function between(uint256 low, uint256 high) internal returns (uint256) {
        return low + roll(high - low + 1);
    }

    function anAgent() internal returns (address) {
        return agents[roll(agents.length)];
    }

    function aJudge() internal returns (address) {
        return judges[roll(judges.length)];
    }

    function aPerson() internal returns (address) {
        return people[roll(people.length)];
    }

    /// @dev A smart wallet's signature is its owner's; of a stranger there is none.
    function signatureOf(address account, bytes32 digest) internal view returns (bytes memory) {
        uint256 key = _keys[account];
        return key == 0 ? bytes("") : signWith(key, digest);
    }

    function hire(string memory name) private returns (address account) {
        account = equipNew(name);
        agents.push(account);
    }

    function hireSmartWallet() private {
        (address signer, uint256 key) = makeAddrAndKey("walletSigner");
        address wallet = address(new SigningWallet(signer));
        vm.label(wallet, "smartWallet");
        equip(wallet);
        enlist(wallet, key);
    }

    function equipNew(string memory name) private returns (address account) {
        uint256 key;
        (account, key) = makeAddrAndKey(name);
        _keys[account] = key;
        equip(account);
    }

    function enlist(address account, uint256 key) private {
        agents.push(account);
        _keys[account] = key;
    }
}
